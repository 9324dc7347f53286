import { withEventMeta } from '@orpc/server';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Commit } from '../backends/backend.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';

/** A watcher that is further behind than this is told so and let go: its queue must not fill the memory. */
const MOST_WAITING = 200_000;

export const events = {
  watch: api.events.watch.handler(({ input, context: { engine }, signal }) => {
    // A name that is not there is an error now, not an endless silence.
    if (input?.collection !== undefined) engine.backend.indexDefinitions(input.collection);
    return watch(engine, input?.collection, signal);
  }),
};

async function* watch(
  { backend }: Engine,
  collection: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangeEvent> {
  const waiting: Commit[] = [];
  let count = 0;
  let wake: () => void = () => {};
  const unsubscribe = backend.onCommit(commit => {
    if (collection !== undefined && !commit.collections.has(collection)) return;
    waiting.push(commit);
    count += commit.changes.length;
    wake();
  });
  const aborted = () => wake();
  signal?.addEventListener('abort', aborted);
  try {
    for (;;) {
      const commit = waiting.shift();
      if (signal?.aborted === true) return;
      if (commit === undefined) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
        continue;
      }
      if (count > MOST_WAITING) {
        throw new SandglassError(
          'CANCELLED',
          `This watch fell ${count} events behind and was ended. Read what you missed, then watch again.`,
        );
      }
      count -= commit.changes.length;
      yield* eventsOf(commit, collection);
    }
  } finally {
    unsubscribe();
    signal?.removeEventListener('abort', aborted);
  }
}

/** One revision, whole, and its marker [V2]. */
function* eventsOf({ revision, at, changes }: Commit, only: string | undefined): Generator<ChangeEvent> {
  for (const [position, { collection, kind, id, index, deadlineAt }] of changes.entries()) {
    if (only !== undefined && collection !== only) continue;
    const place = { revision, at, position, collection, _id: id };
    const event: ChangeEvent =
      kind === 'expire'
        ? { ...place, kind, index: index ?? '', deadlineAt: deadlineAt ?? at }
        : { ...place, kind };
    yield withEventMeta(event, { id: `${revision}.${position}` });
  }
  yield withEventMeta({ kind: 'end' as const, revision, at }, { id: `${revision}.${changes.length}` });
}
