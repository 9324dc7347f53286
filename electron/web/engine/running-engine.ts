import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type ClientLink, createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { Client } from '../../../shared/contract/index.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { EngineHost } from '../../engine/client.ts';
import type { EngineSupervisor } from '../../host/engine-supervisor.ts';

export type EngineLink = ClientLink<Record<never, never>>;

/**
 * A supervised engine as the served host calls it. While it restarts, attached ports are closed, and calls through
 * `link` fail with SERVICE_UNAVAILABLE.
 */
export interface RunningEngine {
  /** Passes a port to the engine; without a caller, it has every permission. Returns false while no engine runs. */
  attach(port: MessagePort, caller?: Caller): boolean;
  /** True for a remote store, which has no tokens of its own: those of the home store are valid for it. */
  readonly isRemote: boolean;
  /** False while the engine restarts. */
  readonly isRunning: boolean;
  /** The host's own calls, with every permission. */
  readonly link: EngineLink;
  /** Calls with a caller's permission [P1]. The link closes when the caller's token is revoked. */
  linkOf(caller: Caller): EngineLink;
}

/** The supervisor of the engine. */
type Supervised = Pick<EngineSupervisor, 'current' | 'attach'>;

/** `home`: for a remote store, the engine whose tokens are valid for it; absent: the engine has tokens of its own. */
export function runningEngine(supervisor: Supervised, home?: Supervised): RunningEngine {
  const links = new WeakMap<EngineHost, Map<string, EngineLink>>();
  /** One link for each token, one for the launch token, and one for the host itself. */
  const linkTo = (engine: EngineHost, caller: Caller | undefined): EngineLink => {
    const ofEngine = links.get(engine) ?? new Map<string, EngineLink>();
    links.set(engine, ofEngine);
    const key = caller === undefined ? 'host' : (caller.token ?? 'launch');
    const known = ofEngine.get(key);
    if (known !== undefined) return known;
    const created = linkOnPort(engine, caller, home, () => ofEngine.delete(key));
    ofEngine.set(key, created);
    return created;
  };
  const link = (caller?: Caller): EngineLink => ({
    async call(path, input, options) {
      const engine = supervisor.current;
      if (engine === undefined) throw engineUnavailable();
      try {
        return await linkTo(engine, caller).call(path, input, options);
      } catch (error) {
        if (error instanceof ORPCError || options.signal?.aborted === true) throw error;
        if (engine !== supervisor.current) throw engineUnavailable();
        // The engine closes the port of a token that is revoked [P1].
        if (caller?.token !== undefined && !(await isKnown(caller.token))) throw tokenRevoked();
        throw error;
      }
    },
  });
  const hostLink = link();
  const tokens = home === undefined ? hostLink : runningEngine(home).link;
  const client: Client = createORPCClient(tokens);
  const isKnown = async (sha256: string) => (await client.tokens.whose({ sha256 })) !== null;
  return {
    attach(port, caller) {
      if (supervisor.current === undefined) return false;
      supervisor.attach(port, caller);
      if (home !== undefined && caller?.token !== undefined) closeWithToken(port, home, caller);
      return true;
    },
    isRemote: home !== undefined,
    get isRunning() {
      return supervisor.current !== undefined;
    },
    link: hostLink,
    linkOf: caller => link(caller),
  };
}

/**
 * Closes a port to a remote store when its caller's token is revoked: the home store closes a port of the same caller
 * then [P1].
 */
function closeWithToken(port: MessagePort, home: Supervised, caller: Caller): void {
  const { port1: near, port2: far } = new MessageChannel();
  home.attach(far, caller);
  near.on('close', () => port.close());
  port.on('close', () => near.close());
  near.unref();
}

function linkOnPort(
  engine: EngineHost,
  caller: Caller | undefined,
  home: Supervised | undefined,
  onEnd: () => void,
): EngineLink {
  const { port1: near, port2: far } = new MessageChannel();
  engine.attach(far, caller);
  near.on('close', onEnd);
  if (home !== undefined && caller?.token !== undefined) closeWithToken(near, home, caller);
  const link = new RPCLink({
    port: {
      postMessage: (message: unknown) => near.postMessage(message),
      // Not `addEventListener`, which oRPC prefers: Node would make an event of each message, and load its HTTP client for that.
      onMessage: { addListener: listener => void near.on('message', listener) },
      onDisconnect: { addListener: listener => void near.on('close', listener) },
    },
  });
  near.start();
  // Rejects the calls that still wait for an answer.
  void engine.exited.then(() => near.close());
  return link;
}

function tokenRevoked(): ORPCError<'UNAUTHORIZED', undefined> {
  return new ORPCError('UNAUTHORIZED', {
    status: 401,
    message: 'The token was revoked or expired during the call. A new token is needed.',
  });
}

function engineUnavailable(): ORPCError<'SERVICE_UNAVAILABLE', undefined> {
  return new ORPCError('SERVICE_UNAVAILABLE', {
    status: 503,
    message:
      'The engine stopped and is being started again. The call may or may not have been executed: try again.',
  });
}
