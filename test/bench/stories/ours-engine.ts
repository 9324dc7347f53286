import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import type { EngineHost } from '../../../electron/engine/client.ts';
import { openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import type { Client } from '../../../shared/contract/index.ts';
import type { TtlIndexDefinition } from '../../../shared/model/ttl-index.ts';
import { clientOn } from '../../support/client.ts';
import { batchesOf, type Load } from '../documents.ts';
import { timed } from '../figures.ts';
import { BATCH } from '../story.ts';

export const COLLECTION = 'documents';
export const INDEX = 'at_deadline';

/** Also the path that the served host of the tests opens. */
export const storeIn = (folder: string): string => join(folder, 'test.sandglass');

/** Returns a definition that adds `expireAfter` seconds to each document's `e`. */
export function definition(expireAfter: number, retention: number): TtlIndexDefinition {
  return {
    name: INDEX,
    source: { kind: 'field', field: 'e', unit: 'milliseconds', expireAfter },
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
    limits: {},
    retention,
  };
}

export interface OpenEngine {
  engine: EmbeddedEngine;
  /** Duration for which each batch of the reaper and each step of the sweep held the writer, ms. */
  readonly heldMs: { reap: number[]; sweep: number[] };
  stop(): Promise<void>;
}

/** Opens the whole engine on this thread, with its reaper on the real clock plus `aheadMs`. */
export function openOurs(storeFile: string, aheadMs = 0): OpenEngine {
  const { engine, stop } = openEngine({
    storeFile,
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    log: createLogger('error', systemClock.now),
    version: '0.0.0-bench',
    callsWaiting: () => 0,
  });
  const heldMs = { reap: [] as number[], sweep: [] as number[] };
  const { expiry } = engine.backend;
  const { reap, sweep } = expiry;
  expiry.reap = (...given) => {
    const result = reap.apply(expiry, given);
    heldMs.reap.push(result.heldMs);
    return result;
  };
  expiry.sweep = budget => {
    const began = performance.now();
    const more = sweep.call(expiry, budget);
    heldMs.sweep.push(performance.now() - began);
    return more;
  };
  return { engine, heldMs, stop };
}

/** Creates an empty collection with one TTL index. */
export function makeCollection({ backend }: EmbeddedEngine, expireAfter: number, retention: number): void {
  backend.createCollection(COLLECTION);
  backend.createIndex(COLLECTION, definition(expireAfter, retention), { by: 'bench', isExpected: true });
  while (backend.backfill({ kind: 'index', collection: COLLECTION, index: INDEX }, 8)?.finished === false);
}

/** Writes all documents in batches of a thousand, each durable before the next. Returns the duration of the writes, ms. */
export async function fill({ backend, yieldToCalls }: EmbeddedEngine, load: Load): Promise<number> {
  let ms = 0;
  for (const batch of batchesOf(load, BATCH)) {
    const incoming = batch.map((value, i) => ({ value, line: i + 1 }));
    ms += await timed(async () => {
      const { rejected } = backend.write(COLLECTION, incoming, { mode: 'insert', atomic: false });
      if (rejected.length > 0) throw new Error(`A document was refused: ${rejected[0]?.message}`);
      // As an import does: maintenance runs in between, and the write-ahead log stays bounded.
      await yieldToCalls();
    });
  }
  return ms;
}

export interface ThreadEngine extends AsyncDisposable {
  readonly host: EngineHost;
  readonly client: Client;
  /** Opens another connection to the same engine. */
  connect(): Client;
}

const BUILT_CLIENT = new URL('../../../dist/node/client.js', import.meta.url);

/**
 * Starts the engine on its own thread, reached over a port, as a window reaches it. Runs the build: sources, whose types are
 * stripped at load, take twice as long to start.
 */
export async function startOurs(storeFile: string): Promise<ThreadEngine> {
  const { startEngine }: typeof import('../../../electron/engine/client.ts') = await import(
    BUILT_CLIENT.href
  );
  const host = await startEngine({
    store: { kind: 'file', file: storeFile },
    logLevel: 'error',
    version: '0.0.0-bench',
    user: 'bench',
  });
  const close: (() => void)[] = [];
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    host.attach(port2);
    close.push(() => port1.close());
    return clientOn(port1);
  };
  return {
    host,
    client: connect(),
    connect,
    async [Symbol.asyncDispose]() {
      for (const one of close) one();
      await host.stop();
    },
  };
}
