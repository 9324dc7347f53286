import fc from 'fast-check';
import type { OnExpire, TtlSource } from '../../shared/model/ttl-index.ts';
import { on } from './documents.ts';
import { HOUR, NOON, SECOND } from './engine.ts';
import {
  anId,
  aReferenceTime,
  BY,
  changesOfIntervals,
  deletingIndex,
  type Step,
  step as stepOf,
} from './interval-steps.ts';
import type { Stepped } from './stepped-store.ts';

export const named = (count: number) => Array.from({ length: count }, (_, i) => `d${i}`);
const filled = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
/** What happens at an explicit expiration: mostly it deletes. */
const onExpire = fc.constantFrom<OnExpire | undefined>(
  undefined,
  undefined,
  undefined,
  { action: 'delete' },
  { action: 'patch', patch: { exp: null, alt: null } },
);
/** Deadlines by an expression [D8]; some documents have none, since it fails for them. */
const EXPRESSIONS = [
  'doc.exp / 1000.0',
  'updatedAt + duration("3s")',
  'doc.exp < doc.alt ? doc.exp / 1000.0 : doc.none',
] as const;

/** Sources of the index `ttl`. */
export const sources = fc.constantFrom<TtlSource>(
  on('exp'),
  on('alt'),
  { kind: 'lastModified', expireAfter: 3 },
  ...EXPRESSIONS.map(expression => ({ kind: 'expression', expression }) as const),
);

const step = stepOf<Stepped>;

/**
 * Writes due documents of one instant, more than one step of the sweep puts back if they are late entries; mostly some of
 * these are put back.
 */
export const manyLate: fc.Arbitrary<Step<Stepped>> = fc
  .tuple(
    fc.constantFrom(NOON - 20 * HOUR, NOON - SECOND),
    fc.constantFrom(null, null, 0, 0, 0, 0, 1, 2),
    fc.boolean(),
  )
  .map(([exp, sweeps, reaps]) =>
    step(
      `fill 300 at ${exp - NOON}, sweep ${sweeps} after the first are put back${reaps ? ', reap' : ''}`,
      stepped => {
        stepped.write(filled(300).map(_id => ({ _id, exp, alt: exp + 1 })));
        if (sweeps !== null) stepped.sweepIntoLate(sweeps);
        if (reaps) stepped.reap(50);
      },
    ),
  );

/** Steps of a history of the collection `c`. */
export const steps: fc.Arbitrary<Step<Stepped>> = fc.oneof(
  ...changesOfIntervals<Stepped>(sources),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(0, SECOND, HOUR), fc.constantFrom(1, 2, 3, 5, 20, 100, 200))
      .map(([ms, most]) =>
        step(`advance ${ms} and reap ${most} of each source`, stepped => {
          stepped.clock.advance(ms);
          stepped.reap(most);
        }),
      ),
  },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map(n => step(`sweep ${n}`, one => one.sweep(n))) },
  { weight: 3, arbitrary: manyLate },
  { weight: 1, arbitrary: fc.constant(step('sweep all', one => one.sweep(1_000_000))) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 150 }),
        fc.integer({ min: 0, max: 11 }),
        onExpire,
        fc.constantFrom(1, 2, 3_600),
      )
      .map(([count, from, action, after]) =>
        step(`expiration of ${count} from ${from} after ${after} ${JSON.stringify(action)}`, ({ store }) => {
          const ids = [...named(12).slice(from), ...filled(count)];
          store.setExpiration('c', ids, { after, onExpire: action });
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(anId, aReferenceTime, aReferenceTime, onExpire), { minLength: 1, maxLength: 6 })
      .map(given =>
        step(`import ${JSON.stringify(given)}`, stepped =>
          stepped.import(
            given.map(([_id, exp, explicitAt, onExpire]) => ({ _id, exp, explicitAt, onExpire })),
          ),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('a second index, or none', stepped => {
        const { store } = stepped;
        if (store.indexDefinitions('c').some(({ name }) => name === 'two'))
          store.dropIndex('c', 'two', 'ada');
        else store.createIndex('c', deletingIndex(on('alt'), { name: 'two' }), BY);
        stepped.build();
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: anId.map(_id =>
      step(`purge ${_id}`, async ({ store, clock }) => {
        const { expired } = await store.reads.expired({ collection: 'c', limit: 1_000 }, clock.now());
        store.purges.releaseCopies(expired.filter(entry => entry._id === _id).map(entry => entry.id));
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('pause or resume', ({ store, clock }) => {
        const isPaused = store.pauses().length > 0;
        store.setPause({ collection: 'c' }, isPaused ? null : { by: 'ada', since: clock.now() }, 'ada');
      }),
    ),
  },
  { weight: 1, arbitrary: fc.constant(step('reopen', stepped => stepped.reopen())) },
);
