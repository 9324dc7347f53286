import { Command as LibraryCommand } from 'ioredis';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatHost } from '../../../../../shared/model/transport/server-address.ts';
import type { Command } from './command-connection.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { HostAndPort } from './redis-uri.ts';
import { bytesOf, integerOf, listOf, type Reply, textOf } from './reply.ts';

const SLOTS = 16_384;

/** The masters of a cluster and their slots, as one of its nodes sees them. */
export interface ClusterTopology {
  /** By `host:port`. */
  readonly masters: ReadonlyMap<string, HostAndPort>;
  readonly replicas: readonly HostAndPort[];
  /** `host:port` of the master of each slot. */
  readonly slots: readonly (string | undefined)[];
  /** Equal for equal masters with equal slots. */
  readonly signature: string;
}

/**
 * Reads the topology that a node sees. Throws INVALID_CONNECTION if the server is no node of a cluster, and BUSY if not
 * every slot has a master: what those slots hold is then unknown.
 */
export async function readTopology(node: RedisConnection, host: string): Promise<ClusterTopology> {
  const masters = new Map<string, HostAndPort>();
  const replicas: HostAndPort[] = [];
  const slots: (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  const ranges: string[] = [];
  for (const range of listOf(await readSlots(node))) {
    const [from, to, first, ...others] = listOf(range);
    const master = nodeOf(first, host);
    const address = formatHost(master);
    masters.set(address, master);
    replicas.push(...others.map(one => nodeOf(one, host)));
    slots.fill(address, integerOf(from), integerOf(to) + 1);
    ranges.push(`${integerOf(from)}-${integerOf(to)} ${address}`);
  }
  if (slots.includes(undefined)) {
    throw new SandglassError('BUSY', 'Some slots of the cluster have no master.');
  }
  return { masters, replicas, slots, signature: ranges.sort().join() };
}

/** Returns the slot of the first key of a command; null: it has none. */
export function slotOf([name, ...args]: Command): number | null {
  // The library's type lacks null.
  const slot: number | null = new LibraryCommand(name, args).getSlot();
  return slot;
}

/** A server's reply that a key is, or will be, on another master. */
export interface Redirect {
  readonly is: 'MOVED' | 'ASK';
  readonly slot: number;
  readonly node: HostAndPort;
}

/** Returns null for any other error. */
export function redirectOf(error: Error): Redirect | null {
  const match = /^(MOVED|ASK) (\d+) (.+):(\d+)$/.exec(error.message);
  if (match === null) return null;
  const [, is, slot, host = '', port] = match;
  return { is: is === 'ASK' ? 'ASK' : 'MOVED', slot: Number(slot), node: { host, port: Number(port) } };
}

async function readSlots(node: RedisConnection): Promise<Reply> {
  try {
    return await node.command('CLUSTER', 'SLOTS');
  } catch (error) {
    if (!(error instanceof Error) || !/^ERR (This instance has cluster|unknown command)/i.test(error.message))
      throw error;
    throw new SandglassError(
      'INVALID_CONNECTION',
      'The server is no node of a cluster. The address of a standalone server begins with redis://.',
    );
  }
}

/** A node that does not know its own host is on the one that was asked. */
function nodeOf(reply: Reply | undefined, asked: string): HostAndPort {
  const [host, port] = listOf(reply);
  const isKnown = Buffer.isBuffer(host) && host.length > 0 && bytesOf(host).toString() !== '?';
  return { host: isKnown ? textOf(host) : asked, port: integerOf(port) };
}
