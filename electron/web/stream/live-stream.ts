import { z } from 'zod';
import type { EngineLink } from '../engine/running-engine.ts';

const named = z.looseObject({ name: z.string() });
const identified = z.looseObject({ id: z.string() });
/** As much of an update as is needed to put two together. */
const liveUpdate = z.looseObject({
  collections: z.array(named),
  dropped: z.array(z.string()),
  jobs: z.array(identified),
  first: z.boolean(),
});
type Update = z.infer<typeof liveUpdate>;

/**
 * `live.watch` for HTTP. The engine tells what changed as it changes; what its reader has not taken yet is put together
 * into one update, so that a slow reader costs the size of the state and no more, however long it waits.
 */
export async function latestUpdates(
  link: EngineLink,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<object>> {
  const options = { context: {}, ...(signal === undefined ? {} : { signal }) };
  const updates = await link.call(['live', 'watch'], undefined, options);
  if (!isAsyncIterable(updates)) throw new TypeError('live.watch answers a stream');
  return coalesced(updates);
}

/** Takes updates as they come and gives all that came since the last one taken, as one. Ends and fails as they do. */
export async function* coalesced(updates: AsyncIterable<unknown>): AsyncGenerator<object> {
  let pending: Update | undefined;
  let end: { error: unknown } | 'done' | undefined;
  let wake = () => {};
  let isOver = false;
  const iterator = updates[Symbol.asyncIterator]();
  const drain = async () => {
    for (;;) {
      const { value, done } = await iterator.next();
      if (done === true || isOver) break;
      const update = liveUpdate.parse(value);
      pending = pending === undefined ? update : merged(pending, update);
      wake();
    }
    end = 'done';
    wake();
  };
  drain().catch((error: unknown) => {
    end = { error };
    wake();
  });
  try {
    for (;;) {
      if (pending !== undefined) {
        const update = pending;
        pending = undefined;
        yield update;
      } else if (end === 'done') return;
      else if (end !== undefined) throw end.error;
      else {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
  } finally {
    isOver = true;
    await iterator.return?.();
  }
}

/** Both updates as one: of each collection and job the later is told, and a collection that came again is not dropped. */
function merged(before: Update, after: Update): Update {
  const dropped = new Set(after.dropped);
  const collections = new Map(before.collections.map(one => [one.name, one]));
  for (const name of dropped) collections.delete(name);
  for (const one of after.collections) collections.set(one.name, one);
  const jobs = new Map(before.jobs.map(one => [one.id, one]));
  for (const one of after.jobs) jobs.set(one.id, one);
  return {
    ...before,
    ...after,
    collections: [...collections.values()],
    dropped: [...new Set([...before.dropped, ...dropped])].filter(name => !collections.has(name)),
    jobs: [...jobs.values()].slice(-MOST_JOBS),
    first: before.first || after.first,
  };
}

/** Jobs have no end; a store keeps the last that ended, and these are more. */
const MOST_JOBS = 200;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
