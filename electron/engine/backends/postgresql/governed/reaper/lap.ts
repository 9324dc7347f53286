import type { Session } from '../../connection/session.ts';
import {
  type BatchInput,
  type BatchOutcome,
  firstKey,
  inBatchTransaction,
  isOnlyCounted,
  type LockHolder,
  runBatch,
  runCountedBatch,
} from '../batches/batch.ts';
import { earliestDue } from '../batches/earliest-deadline.ts';
import { type KeyRange, nextKeyRange } from '../batches/key-slices.ts';
import { type ProtectedRows, removeKnown } from '../batches/protected-rows.ts';
import { type GovernedTable, type Leaf, readLeaves } from '../table-facts.ts';
import { Narrowing } from './narrowing.ts';

export type LapInput = Omit<BatchInput, keyof PartOfLap | 'hasExplicit' | 'skipped' | 'only'> & {
  readonly holder: LockHolder;
  /** OIDs of leaves whose rows leave with their partition. */
  readonly except: readonly number[];
  readonly protectedRows: ProtectedRows;
};

/** Input of a batch that differs between the batches of a lap. */
type PartOfLap = Pick<BatchInput, 'leaf' | 'rows' | 'from' | 'range'>;

export interface LapBatch extends BatchOutcome {
  /** Nothing due at the cutoff is left, apart from rows that others have locked. */
  readonly isLast: boolean;
}

/** A walk over what is due at a cutoff; each call of `batch` is a transaction. */
export interface Lap {
  readonly cutoff: string;
  batch(session: Session, rows: number): Promise<LapBatch>;
}

/**
 * Batches after a measured one whose rows are only counted; their lags are taken to be the same. A measured row takes half as
 * long again, so few are measured.
 */
const COUNTED_BATCHES = 4;
const MEASURED_ROWS = 1_000;

/**
 * Walks by the deadline's index: leaf by leaf, in the order of deadlines. A batch begins where the one before it ended,
 * since the entries of deleted rows stay in the index until a vacuum; rows that were locked meanwhile are left to the next lap.
 */
export class IndexLap implements Lap {
  readonly #input: LapInput;
  readonly #visited: number[];
  #leaf: Leaf | null = null;
  #from: string | null = null;
  #lagsMs: readonly number[] = [];
  /** Batches until the next that is measured. */
  #counted = 0;
  readonly #narrowing = new Narrowing();

  constructor(input: LapInput) {
    this.#input = input;
    this.#visited = [...input.except];
  }

  get cutoff(): string {
    return this.#input.cutoff;
  }

  async batch(session: Session, rows: number): Promise<LapBatch> {
    this.#leaf ??= await this.#nextLeaf(session);
    const leaf = this.#leaf;
    if (leaf === null) return { ...NOTHING, isLast: true };
    const of = { leaf, from: this.#from, range: null };
    if (this.#counted > 0) {
      const most = this.#narrowing.limit(rows);
      const counted = await this.#narrowing.run(most, () =>
        run(session, this.#input, { ...of, rows: most }, input =>
          runCountedBatch(session, input, this.#lagsMs),
        ),
      );
      const removed = counted?.removed ?? 0;
      // The end of a leaf is found by a measured batch.
      this.#counted = removed === most ? this.#counted - 1 : 0;
      return { removed, lastDeadline: null, lagsMs: this.#lagsMs, isCurrent: true, isLast: false };
    }
    const isSample = isOnlyCounted(this.#input);
    const most = this.#narrowing.limit(isSample ? Math.min(rows, MEASURED_ROWS) : rows);
    const outcome = await runNarrowed(session, this.#input, { ...of, rows: most }, this.#narrowing);
    if (outcome === null) return { ...NOTHING, isLast: false };
    this.#from = outcome.lastDeadline;
    this.#lagsMs = outcome.lagsMs;
    if (outcome.removed === most) {
      this.#counted = isSample ? COUNTED_BATCHES : 0;
      return { ...outcome, isLast: false };
    }
    this.#visited.push(leaf.oid);
    this.#leaf = null;
    this.#from = null;
    return { ...outcome, isLast: !this.#input.table.isPartitioned };
  }

  async #nextLeaf(session: Session): Promise<Leaf | null> {
    const { table } = this.#input;
    if (!table.isPartitioned) return table;
    const { skipped } = this.#input.protectedRows;
    const earliest = await earliestDue(session, this.#input, { except: this.#visited, skipped });
    return earliest === null ? null : leafWith(session, table, earliest.leaf);
  }
}

/** Walks by the primary key, range by range: where no index serves the deadline. */
export class KeyLap implements Lap {
  readonly #input: LapInput;
  #leaves: Leaf[] | null = null;
  #range: KeyRange | null = null;
  readonly #narrowing = new Narrowing();

  constructor(input: LapInput) {
    this.#input = input;
  }

  get cutoff(): string {
    return this.#input.cutoff;
  }

  async batch(session: Session, rows: number): Promise<LapBatch> {
    const { table, except } = this.#input;
    this.#leaves ??= (await readLeaves(session, table)).filter(({ oid }) => !except.includes(oid));
    const [leaf] = this.#leaves;
    if (leaf === undefined) return { ...NOTHING, isLast: true };
    this.#range ??= await nextKeyRange(session, table, leaf, null);
    const range = this.#range;
    const most = this.#narrowing.limit(rows);
    const of = { leaf, rows: most, from: null, range };
    const outcome = await runNarrowed(session, this.#input, of, this.#narrowing);
    if (outcome === null) return { ...NOTHING, isLast: false };
    if (outcome.removed === most) return { ...outcome, isLast: false };
    if (range.until === null) this.#leaves.shift();
    this.#range = range.until === null ? null : await nextKeyRange(session, table, leaf, range.until);
    return { ...outcome, isLast: this.#leaves.length === 0 };
  }
}

/** A batch that removed nothing. */
export const NOTHING: BatchOutcome = { removed: 0, lastDeadline: null, lagsMs: [], isCurrent: true };

/** Runs a batch; null: a foreign key refused it, and the next one narrows down which row that is. */
async function runNarrowed(
  session: Session,
  input: LapInput,
  of: PartOfLap,
  narrowing: Narrowing,
): Promise<BatchOutcome | null> {
  if (!narrowing.isSingle)
    return narrowing.run(of.rows, () => run(session, input, of, one => runBatch(session, one)));
  const only = await run(session, input, of, one => firstKey(session, one));
  if (only === null) return NOTHING;
  return narrowing.run(of.rows, () =>
    removeKnown(input.protectedRows, only, () =>
      run(session, input, of, one => runBatch(session, { ...one, only })),
    ),
  );
}

function run<Outcome>(
  session: Session,
  input: LapInput,
  of: PartOfLap,
  act: (input: BatchInput) => Promise<Outcome>,
): Promise<Outcome> {
  const { holder, table, definition, protectedRows } = input;
  const { ownerRole } = definition;
  const { skipped } = protectedRows;
  return inBatchTransaction(session, { holder, oid: table.oid, role: ownerRole }, ({ hasExplicit }) =>
    act({ ...input, ...of, hasExplicit, skipped, only: null }),
  );
}

async function leafWith(session: Session, table: GovernedTable, oid: number): Promise<Leaf | null> {
  const leaves = await readLeaves(session, table);
  return leaves.find(leaf => leaf.oid === oid) ?? null;
}
