import fc from 'fast-check';
import type { EmbeddedStore } from '../../electron/engine/backends/embedded/store.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { type TtlIndexDefinition, type TtlSource, withExpireAfter } from '../../shared/model/ttl-index.ts';
import { HOUR, NOON, SECOND } from './engine.ts';
import type { ManualClock } from './manual-clock.ts';

/** A store without a reaper of its own, which a test makes write, build and remove, step by step. */
export interface SteppedStore {
  readonly clock: ManualClock;
  readonly store: EmbeddedStore;
  /** Writes documents to the collection `c`. */
  write(documents: readonly object[]): void;
  /** Builds its indexes. */
  build(): void;
  /** Removes what is due. */
  reap(): void;
}

/** One step of a history. */
export interface Step<Stepped> {
  readonly name: string;
  readonly run: (stepped: Stepped) => void | Promise<void>;
}

export type WeightedSteps<Stepped> = { weight: number; arbitrary: fc.Arbitrary<Step<Stepped>> };

export const BY = { by: 'ada', isExpected: true } as const;

export const anId = fc.integer({ min: 0, max: 11 }).map(n => `d${n}`);

/** Reference times around the present: some of them one instant, some backdated. */
export const aReferenceTime = fc.oneof(
  fc.constant(NOON + SECOND),
  fc.integer({ min: -3_000, max: 5_000 }).map(ms => NOON + ms),
  fc.integer({ min: -20, max: 30 }).map(hours => NOON + hours * HOUR + 123),
);

/** The definition of an index that deletes at the deadline. */
export function deletingIndex(
  source: TtlSource,
  change: Partial<TtlIndexDefinition> = {},
): TtlIndexDefinition {
  return {
    name: 'ttl',
    source,
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
    limits: {},
    retention: null,
    ...change,
  };
}

/** Returns the error code of a step; an error that is none of the contract is thrown. */
export async function outcomeOf<Stepped>(stepped: Stepped, { run }: Step<Stepped>): Promise<string> {
  try {
    await run(stepped);
    return 'done';
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return error.code;
  }
}

export function step<Stepped>(name: string, run: Step<Stepped>['run']): Step<Stepped> {
  return { name, run };
}

/** Steps that change documents and the index `ttl` of the collection `c`, or remove what is due. */
export function changesOfIntervals<Stepped extends SteppedStore>(
  sources: fc.Arbitrary<TtlSource>,
): WeightedSteps<Stepped>[] {
  return [
    {
      weight: 6,
      arbitrary: fc
        .array(fc.tuple(anId, aReferenceTime, aReferenceTime), { minLength: 1, maxLength: 6 })
        .map(given =>
          step(`write ${JSON.stringify(given)}`, stepped =>
            stepped.write(given.map(([_id, exp, alt]) => ({ _id, exp, alt }))),
          ),
        ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.integer({ min: 130, max: 300 }), aReferenceTime).map(([count, exp]) =>
        step(`fill ${count} at ${exp - NOON}`, stepped => {
          const all = Array.from({ length: count }, (_, i) => ({
            _id: `f${i}`,
            exp: exp + (i % 3),
            alt: exp,
          }));
          stepped.write(all);
        }),
      ),
    },
    {
      weight: 5,
      arbitrary: fc.constantFrom(1, 500, SECOND, 3 * SECOND, HOUR, 9 * HOUR).map(ms =>
        step(`advance ${ms} and reap`, stepped => {
          stepped.clock.advance(ms);
          stepped.reap();
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anId, fc.constantFrom({ never: true } as const, { after: 1 }, { after: 7_200 }, null))
        .map(([_id, setting]) =>
          step(
            `expiration of ${_id} ${JSON.stringify(setting)}`,
            ({ store }) => void store.setExpiration('c', [_id], setting),
          ),
        ),
    },
    {
      weight: 1,
      arbitrary: anId.map(_id => step(`delete ${_id}`, ({ store }) => void store.delete('c', [_id]))),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(0, 30, 7_200, 86_400).map(expireAfter =>
        step(`expireAfter ${expireAfter}`, ({ store }) => {
          const [definition] = store.indexDefinitions('c');
          if (definition === undefined) return;
          const source = withExpireAfter(definition.source, expireAfter);
          store.changeIndex('c', { ...definition, source }, BY);
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: sources.map(source =>
        step(`index of ${JSON.stringify(source)}`, stepped => {
          const { store } = stepped;
          if (store.indexDefinitions('c').length === 0) store.createIndex('c', deletingIndex(source), BY);
          else store.changeIndex('c', deletingIndex(source), BY);
          stepped.build();
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constant(
        step('drop the index', ({ store }) => {
          if (store.indexDefinitions('c').length > 0) store.dropIndex('c', 'ttl', 'ada');
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(anId, fc.constantFrom('skip', 'replace')).map(([_id, onConflict]) =>
        step(`restore ${_id}, ${onConflict}`, async ({ store, clock }) => {
          const { expired } = await store.reads.expired({ collection: 'c', limit: 1_000 }, clock.now());
          const chosen = expired.find(entry => entry._id === _id && entry.restorable !== null);
          if (chosen === undefined) return;
          store.expired.restore([chosen.id], { expiration: { after: 3_600 }, onConflict, choices: {} });
        }),
      ),
    },
  ];
}

/** Writes documents and expires a part of them: the first interval, of more documents than one slice lists. */
export const FIRST_INTERVAL = step<SteppedStore>('write and expire some', stepped => {
  const alt = NOON + HOUR;
  const some = Array.from({ length: 12 }, (_, i) => ({ _id: `d${i}`, exp: NOON + i * 250, alt }));
  const many = Array.from({ length: 150 }, (_, i) => ({ _id: `f${i}`, exp: NOON + SECOND, alt }));
  stepped.write([...some, ...many]);
  stepped.store.setExpiration('c', ['d9', 'd10', 'f0', 'f1'], { after: 1 });
  stepped.clock.advance(SECOND);
  stepped.reap();
});
