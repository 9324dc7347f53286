import { isDeepStrictEqual } from 'node:util';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import type { NaiveCollection, NaiveIndex } from '../../support/naive-store.ts';
import type { SimulatedStore } from './simulated-store.ts';

/**
 * Throws unless the figures of each TTL index and the list in order of deadlines agree with the model: both are read from the
 * index tables, in which a build may have left out a document.
 */
export async function compareIndexes(store: SimulatedStore, collection: string): Promise<void> {
  const naive = store.model.of(collection);
  const { reads } = store.context.engine.backend;
  for (const reported of await reads.indexes(collection, store.now)) {
    const index = naive.indexes.get(reported.name);
    if (reported.state === 'building' || index === undefined || !index.isReady) continue;
    const { name } = index;
    compare(`figures of ${name}`, figuresOf(reported), wantedFigures(naive, index, store.now));
  }
  await compareDeadlineList(store, collection);
}

function figuresOf({ documents, overdue, nextDeadlineAt, never }: TtlIndex) {
  const reasons = never.reasons.map(({ reason, count }) => `${reason}: ${count}`).sort();
  return { documents, overdue, nextDeadlineAt, reasons };
}

function wantedFigures(naive: NaiveCollection, index: NaiveIndex, now: number): ReturnType<typeof figuresOf> {
  const all = [...naive.documents.values()];
  const at = all.flatMap(document => naive.deadlineBy(index, document) ?? []);
  const ahead = at.filter(one => one > now);
  const reasons = Map.groupBy(all, document => naive.reasonBy(index, document));
  reasons.delete(null);
  return {
    documents: at.length,
    overdue: at.length - ahead.length,
    nextDeadlineAt: ahead.length === 0 ? null : Math.min(...ahead),
    reasons: [...reasons].map(([reason, documents]) => `${reason}: ${documents.length}`).sort(),
  };
}

/** Every document is listed once: those with a deadline in its order, then the others. */
async function compareDeadlineList(store: SimulatedStore, collection: string): Promise<void> {
  const naive = store.model.of(collection);
  const { documents } = await store.context.engine.backend.reads.documents(
    { collection, includeExpired: true, limit: 1_000, sort: 'deadline', order: 'asc' },
    store.now,
  );
  const listed = documents.map(({ _id }) => _id);
  compare('the list in order of deadlines', listed.toSorted(), [...naive.documents.keys()].sort());
  const deadlines = documents.map(({ deadlineAt }) => deadlineAt ?? Number.POSITIVE_INFINITY);
  compare(
    'the order of deadlines',
    deadlines,
    deadlines.toSorted((a, b) => (a === b ? 0 : a - b)),
  );
}

function compare(what: string, is: unknown, should: unknown): void {
  if (!isDeepStrictEqual(is, should))
    throw new Error(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`);
}
