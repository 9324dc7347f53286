import { z } from 'zod';
import type { EngineLink } from '../engine/running-engine.ts';

const named = z.looseObject({ name: z.string() });
const identified = z.looseObject({ id: z.string() });
/** The fields of an update that merging needs. */
const liveUpdate = z.looseObject({
  collections: z.array(named),
  dropped: z.array(z.string()),
  jobs: z.array(identified),
  first: z.boolean(),
});
type Update = z.infer<typeof liveUpdate>;

/**
 * Returns the updates of `live.watch` for HTTP, with those that the reader has not consumed yet merged into one: the
 * size of the state bounds the memory use, even for a slow reader.
 */
export async function mergedUpdates(
  link: EngineLink,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<object>> {
  const options = { context: {}, ...(signal === undefined ? {} : { signal }) };
  const updates = await link.call(['live', 'watch'], undefined, options);
  if (!isAsyncIterable(updates)) throw new TypeError('live.watch returns no stream');
  return merging(updates);
}

/**
 * Consumes updates as they arrive, and yields those since the last yield as one. Ends and fails as `updates` does.
 * @internal
 */
export async function* merging(updates: AsyncIterable<unknown>): AsyncGenerator<object> {
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

/** Merges two updates: the later version of each collection and job. A collection created again is not dropped. */
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

/** Larger than the number of ended jobs that a store keeps. */
const MOST_JOBS = 200;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
