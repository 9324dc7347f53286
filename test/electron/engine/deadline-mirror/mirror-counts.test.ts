import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timelineEdges } from '../../../../electron/engine/deadline-index/bucket-edges.ts';
import type {
  DepartureCause,
  MirroredKey,
} from '../../../../electron/engine/deadline-mirror/mirrored-key.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { openTestMirror, type TestMirror } from '../../../support/mirror.ts';

const COLLECTIONS = ['a', 'b', 'c'];
const CAUSES = ['expired', 'evicted', 'deleted'] as const satisfies readonly DepartureCause[];

const id = fc.integer({ min: 0, max: 40 }).map(String);
const deadline = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, NOON - 1, NOON, NOON + 1, NOON + SECOND),
  fc.integer({ min: -2 * SECOND, max: 2 * SECOND }).map(ms => NOON + ms),
  fc.integer({ min: -DAY, max: DAY }).map(ms => NOON + ms),
  fc.integer({ min: -300 * DAY, max: 300 * DAY }).map(ms => NOON + ms),
);
const key: fc.Arbitrary<MirroredKey> = fc.record({
  id,
  collection: fc.constantFrom(...COLLECTIONS),
  deadlineAt: deadline,
  type: fc.constantFrom('string', 'hash'),
  bytes: fc.option(fc.integer({ min: 0, max: 1_000 })),
});
const keys = fc.array(key, { maxLength: 25 });
const departure = fc.record({
  id,
  cause: fc.constantFrom(...CAUSES),
  at: fc.integer({ min: -2 * HOUR, max: 0 }).map(ms => NOON + ms),
  measuresLag: fc.boolean(),
});

type Step =
  | { does: 'put'; keys: MirroredKey[] }
  | { does: 'depart'; departures: { id: string; cause: DepartureCause; at: number; measuresLag: boolean }[] }
  | { does: 'scan'; seen: MirroredKey[] }
  | { does: 'interrupted scan'; seen: MirroredKey[] }
  | { does: 'restart' }
  | { does: 'clear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: keys.map(keys => ({ does: 'put' as const, keys })) },
  {
    weight: 4,
    arbitrary: fc
      .array(departure, { maxLength: 12 })
      .map(departures => ({ does: 'depart' as const, departures })),
  },
  { weight: 2, arbitrary: keys.map(seen => ({ does: 'scan' as const, seen })) },
  { weight: 1, arbitrary: keys.map(seen => ({ does: 'interrupted scan' as const, seen })) },
  { weight: 1, arbitrary: fc.constant({ does: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'clear' as const }) },
);
const spans = fc.record({
  from: fc.oneof(
    fc.constantFrom(NOON - HOUR, NOON - 3 * DAY, NOON, NOON - 1),
    fc.integer({ min: -400 * DAY, max: HOUR }).map(ms => NOON + ms),
  ),
  width: fc.constantFrom(7, SECOND, 12 * SECOND, MINUTE, 100_003, HOUR, DAY, 30 * DAY),
  buckets: fc.constantFrom(1, 2, 60, 300),
});

/** The expected content of a mirror, computed in the simplest way. */
class Model {
  keys = new Map<string, MirroredKey>();
  departed: { collection: string; cause: DepartureCause; at: number }[] = [];

  put(keys: readonly MirroredKey[]): void {
    for (const key of new Map(keys.map(key => [key.id, key])).values()) {
      const bytes = key.bytes ?? this.keys.get(key.id)?.bytes ?? null;
      this.keys.set(key.id, {
        ...key,
        bytes,
        deadlineAt: key.deadlineAt === null ? null : Math.max(0, key.deadlineAt),
      });
    }
  }

  apply(step: Step): void {
    if (step.does === 'put') this.put(step.keys);
    if (step.does === 'interrupted scan') this.put(step.seen);
    if (step.does === 'clear') this.keys.clear();
    if (step.does === 'scan') {
      this.put(step.seen);
      const seen = new Set(step.seen.map(({ id }) => id));
      for (const id of this.keys.keys()) if (!seen.has(id)) this.keys.delete(id);
    }
    if (step.does === 'depart')
      for (const { id, cause, at } of step.departures) {
        const key = this.keys.get(id);
        if (key === undefined) continue;
        this.keys.delete(id);
        this.departed.push({ collection: key.collection, cause, at });
      }
  }
}

function applyTo(opened: TestMirror, step: Step): void {
  const { mirror } = opened;
  if (step.does === 'put') mirror.put(step.keys);
  if (step.does === 'depart') mirror.depart(step.departures);
  if (step.does === 'clear') mirror.clear();
  if (step.does === 'restart') opened.reopen();
  if (step.does === 'scan' || step.does === 'interrupted scan') {
    const scan = mirror.beginScan();
    mirror.put(step.seen);
    if (step.does === 'scan') while (mirror.endScan(scan, 0));
  }
}

it('[X2] a mirror agrees with a recount of its keys after any changes, scans and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(spans, { minLength: 1, maxLength: 3 }),
      async (steps, some) => {
        const opened = openTestMirror();
        const model = new Model();
        for (const one of steps) {
          applyTo(opened, one);
          model.apply(one);
        }
        await expectToAgree(opened, model, some);
        opened.mirror.close();
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

async function expectToAgree(
  { mirror }: TestMirror,
  model: Model,
  some: readonly { from: number; width: number; buckets: number }[],
): Promise<void> {
  const { reads } = mirror;
  const all = [...model.keys.values()];
  const present = COLLECTIONS.filter(name => all.some(({ collection }) => collection === name));
  const summaries = await reads.summaries(null, NOON);
  expect(
    summaries.map(({ name, documents, bytes, withDeadline, overdue, oldestOverdueAt, nextDeadlineAt }) => ({
      name,
      documents,
      bytes,
      withDeadline,
      overdue,
      oldestOverdueAt,
      nextDeadlineAt,
    })),
  ).toEqual(
    present.map(name => {
      const own = all.filter(({ collection }) => collection === name);
      const deadlines = own.flatMap(({ deadlineAt }) => (deadlineAt === null ? [] : [deadlineAt]));
      const due = deadlines.filter(at => at <= NOON);
      const later = deadlines.filter(at => at > NOON);
      return {
        name,
        documents: own.length,
        bytes: own.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
        withDeadline: deadlines.length,
        overdue: due.length,
        oldestOverdueAt: due.length === 0 ? null : Math.min(...due),
        nextDeadlineAt: later.length === 0 ? null : Math.min(...later),
      };
    }),
  );
  for (const { from, width, buckets } of some) {
    const span = { from, to: from + width * buckets, buckets };
    const { buckets: found } = await reads.timeline(span, NOON);
    expect(found.map(({ fromAt }) => fromAt)).toEqual(timelineEdges(span).slice(0, -1));
    expect(found.map(({ toAt }) => toAt)).toEqual(timelineEdges(span).slice(1));
    expect(found.map(({ due }) => due)).toEqual(
      found.map(
        ({ fromAt, toAt }) =>
          all.filter(({ deadlineAt: at }) => at !== null && at >= fromAt && at < toAt).length,
      ),
    );
    for (const { due, byIndex } of found)
      expect(Object.values(byIndex).reduce((sum, series) => sum + series.due, 0)).toBe(due);
  }
  // Aligned with the minutes in which departures are counted.
  const past = { from: NOON - 2 * HOUR, to: NOON + MINUTE, buckets: 121 };
  const { buckets } = await reads.timeline(past, NOON);
  expect(buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(
    model.departed.filter(({ cause }) => cause === 'expired').length,
  );
  expect((await reads.expired({ limit: 1_000 }, NOON)).expired).toHaveLength(model.departed.length);
  for (const name of present) {
    const own = all.filter(({ collection }) => collection === name);
    const list = { collection: name, limit: 100, includeExpired: true, order: 'asc' as const };
    const byId = await reads.documents({ ...list, sort: '_id' }, NOON);
    expect(byId.documents.map(({ _id }) => _id)).toEqual(own.map(({ id }) => id).sort());
    const byDeadline = await reads.documents({ ...list, sort: 'deadline' }, NOON);
    const inOrder = own.map(({ deadlineAt }) => deadlineAt ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
    expect(byDeadline.documents.map(({ deadlineAt }) => deadlineAt ?? Number.POSITIVE_INFINITY)).toEqual(
      inOrder,
    );
  }
  for (const { id, deadlineAt, collection } of all)
    expect(mirror.deadlineOf(id)).toEqual({ deadlineAt, collection });
}
