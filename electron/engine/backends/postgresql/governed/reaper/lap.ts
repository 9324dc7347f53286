import type { Session } from '../../connection/session.ts';
import {
  type BatchInput,
  type BatchOutcome,
  earliestDue,
  inBatchTransaction,
  isOnlyCounted,
  type LockHolder,
  runBatch,
  runCountedBatch,
} from '../batches/batch.ts';
import { type KeyRange, nextKeyRange } from '../batches/key-slices.ts';
import { type GovernedTable, type Leaf, readLeaves } from '../table-facts.ts';

export type LapInput = Omit<BatchInput, 'leaf' | 'rows' | 'from' | 'range' | 'hasExplicit'> & {
  readonly holder: LockHolder;
  /** OIDs of leaves whose rows leave with their partition. */
  readonly except: readonly number[];
};

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
      const { removed } = await run(session, this.#input, { ...of, rows }, input =>
        runCountedBatch(session, input, this.#lagsMs),
      );
      // The end of a leaf is found by a measured batch.
      this.#counted = removed === rows ? this.#counted - 1 : 0;
      return { removed, lastDeadline: null, lagsMs: this.#lagsMs, isCurrent: true, isLast: false };
    }
    const isSample = isOnlyCounted(this.#input);
    const most = isSample ? Math.min(rows, MEASURED_ROWS) : rows;
    const outcome = await run(session, this.#input, { ...of, rows: most }, input => runBatch(session, input));
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
    const earliest = await earliestDue(session, this.#input, this.#visited);
    return earliest === null ? null : leafWith(session, table, earliest.leaf);
  }
}

/** Walks by the primary key, range by range: where no index serves the deadline. */
export class KeyLap implements Lap {
  readonly #input: LapInput;
  #leaves: Leaf[] | null = null;
  #range: KeyRange | null = null;

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
    const of = { leaf, rows, from: null, range };
    const outcome = await run(session, this.#input, of, input => runBatch(session, input));
    if (outcome.removed === rows) return { ...outcome, isLast: false };
    if (range.until === null) this.#leaves.shift();
    this.#range = range.until === null ? null : await nextKeyRange(session, table, leaf, range.until);
    return { ...outcome, isLast: this.#leaves.length === 0 };
  }
}

const NOTHING: BatchOutcome = { removed: 0, lastDeadline: null, lagsMs: [], isCurrent: true };

function run<Outcome>(
  session: Session,
  input: LapInput,
  of: Pick<BatchInput, 'leaf' | 'rows' | 'from' | 'range'>,
  act: (input: BatchInput) => Promise<Outcome>,
): Promise<Outcome> {
  const { holder, table, definition } = input;
  const { ownerRole } = definition;
  return inBatchTransaction(session, { holder, oid: table.oid, role: ownerRole }, ({ hasExplicit }) =>
    act({ ...input, ...of, hasExplicit }),
  );
}

async function leafWith(session: Session, table: GovernedTable, oid: number): Promise<Leaf | null> {
  const leaves = await readLeaves(session, table);
  return leaves.find(leaf => leaf.oid === oid) ?? null;
}
