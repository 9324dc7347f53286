import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type HoldRecord, holdRecord, pause } from '../../../../../shared/contract/reaper.ts';
import { type Settings, settingsAnswer } from '../../../../../shared/contract/settings.ts';
import { storedDefinition, ttlSource } from '../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import {
  compileDeadlineExpression,
  type DeadlineExpression,
} from '../../../../../shared/model/expressions/expression.ts';
import {
  type ReferenceTimeReader,
  referenceTimeReader,
} from '../../../../../shared/model/expressions/reference-time-reader.ts';
import { parseJson } from '../../../../../shared/model/json/json.ts';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import {
  EXPLICIT,
  expireAfterMs,
  hides,
  type Pause,
  type TtlIndexDefinition,
  type TtlSource,
} from '../../../../../shared/model/ttl-index.ts';
import { type PreparedAction, prepareAction } from '../../../expiry/action.ts';
import type { DeadlineRule } from '../../../expiry/deadline.ts';
import { Meta } from '../tables/meta.ts';

/** The source number of explicit expirations; every TTL index has a larger one. */
export const EXPLICIT_SOURCE = 0;

/** A TTL index of the catalog, prepared to compute deadlines. */
export class CatalogIndex implements DeadlineRule {
  readonly id: number;
  readonly side: number;
  readonly governedSide: number | null;
  readonly definition: TtlIndexDefinition;
  readonly paused: Pause | null;
  readonly createdAt: number;
  readonly createdBy: string;
  /** When this definition took effect, epoch ms; lag is counted from then on [M1]. */
  readonly effectiveAt: number;
  /** Rows up to this one have entries; null: all, the index is ready. */
  readonly builtThroughRow: number | null;
  /** Confirmed, not only observing, and built at least once: decides deadlines, also during a rebuild [R1, R6, V1]. */
  readonly isActing: boolean;
  /** Acting, with a complete side table: counted, and used by the reaper. */
  readonly isServing: boolean;
  /** Other reading rules made its entries, which are neither used nor changed (index-renewal.ts). */
  readonly isOutdated: boolean;
  /** Number of documents that its former entries made due, during a rebuild; null otherwise. */
  readonly wasDue: number | null;
  readonly isConfirmed: boolean;
  /** A person saw how many documents it makes due before creating it: the breaker does not trip [R8]. */
  readonly isExpected: boolean;
  /** A change that is held until a person confirms it [R8]. */
  readonly pending: PendingChange | null;
  /** Definition that replaces this one once its side table is built [D8]; null: none. */
  readonly successor: CatalogSuccessor | null;
  readonly hides: boolean;
  readonly addMs: number;
  readonly read: ReferenceTimeReader;
  #action: PreparedAction | null = null;
  #expression: DeadlineExpression | null = null;

  constructor(row: IndexRow, successor: SuccessorRow | undefined) {
    const stored = storedDefinition.parse(parseJson(row.definition));
    this.id = row.id;
    this.side = row.side;
    this.governedSide = row.governed_side;
    this.definition = { name: row.name, ...stored };
    this.paused = parsePause(row.paused);
    this.createdAt = row.created_at;
    this.createdBy = row.created_by;
    this.effectiveAt = row.effective_at;
    this.isOutdated = row.rules !== READING_RULES_VERSION;
    this.wasDue = row.was_due;
    this.builtThroughRow = this.isOutdated ? 0 : row.built_through_row;
    this.isServing = this.builtThroughRow === null && row.acting === 1;
    this.isActing = row.acting === 1 && (row.built_through_row === null || row.was_due !== null);
    this.isConfirmed = row.confirmed === 1;
    this.isExpected = row.expected === 1;
    this.pending = row.pending === null ? null : pendingChange.parse(parseJson(row.pending));
    this.successor = successor === undefined ? null : readSuccessor(row.name, successor);
    this.hides = hides(stored.onExpire);
    this.addMs = expireAfterMs(stored.source);
    this.read = readerOf(row.name, stored.source);
  }

  get name(): string {
    return this.definition.name;
  }
  /** Action on due documents; compiled when the first one is due. */
  get action(): PreparedAction {
    this.#action ??= prepareAction(this.definition.onExpire);
    return this.#action;
  }
  /** Returns why its expression gave no deadline for a document [X1]; null if it gave one, or if the index has no expression. */
  problemOf(document: unknown, updatedAt: number): string | null {
    const { source } = this.definition;
    if (source.kind !== 'expression') return null;
    this.#expression ??= compileDeadlineExpression(source.expression);
    return this.#expression.problem(document, updatedAt);
  }
  get isPaused(): boolean {
    return this.paused !== null;
  }
  get isReady(): boolean {
    return this.builtThroughRow === null;
  }
}

/** A definition of an index with another source, not in effect yet; see index-successors.ts. */
export interface CatalogSuccessor {
  /** `ttl_indexes.id` of its index. */
  readonly source: number;
  readonly definition: TtlIndexDefinition;
  readonly side: number;
  /** Rows up to this one have entries in its side table; null: all. */
  readonly builtThroughRow: number | null;
  readonly by: string;
  readonly since: number;
  readonly change: 'change' | 'revert';
  readonly isExpected: boolean;
  /** Other reading rules made its entries, which are not used. */
  readonly isOutdated: boolean;
  readonly read: ReferenceTimeReader;
}

export interface CatalogCollection {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly paused: Pause | null;
  readonly documents: number;
  readonly bytes: number;
  /** Side table of explicit expirations. */
  readonly explicit: number;
  /** End of the last pause or hold of explicit expirations, epoch ms; 0 if there was none. */
  readonly resumedAt: number;
  /** Rows up to this one have entries in the tables of governed documents; null: all. */
  readonly recountedThroughRow: number | null;
  readonly indexes: readonly CatalogIndex[];
}

/** A hold, with the number of its collection. */
export type CatalogHold = HoldRecord & { readonly collectionId: number | null };

export interface Catalog {
  readonly paused: Pause | null;
  readonly settings: Settings;
  /** In the order they were placed. */
  readonly holds: readonly CatalogHold[];
  readonly collections: ReadonlyMap<string, CatalogCollection>;
}

/**
 * A side table and the TTL that is added to its reference times. In a list of sources each document occurs once, so that
 * counts of deadlines add up to documents.
 */
export interface DeadlineSource {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  readonly id: number;
  /** Null for explicit expirations. */
  readonly index: CatalogIndex | null;
  readonly name: string;
  readonly table: number;
  readonly addMs: number;
  readonly paused: Pause | null;
}

/** Whether each index has a table of governed documents: a single index governs all its documents, so it needs none [D9]. */
export function usesGovernedSideTables(collection: Pick<CatalogCollection, 'indexes'>): boolean {
  return collection.indexes.filter(index => index.isServing).length > 1;
}

/** Whether the tables of governed documents are being rebuilt: until then a document is counted once for each index. */
export function isRecounting(collection: CatalogCollection): boolean {
  return usesGovernedSideTables(collection) && collection.recountedThroughRow !== null;
}

export function deadlineSources(collection: CatalogCollection): DeadlineSource[] {
  const counted = usesGovernedSideTables(collection) && !isRecounting(collection);
  return [
    { id: EXPLICIT_SOURCE, index: null, name: EXPLICIT, table: collection.explicit, addMs: 0, paused: null },
    ...collection.indexes
      .filter(index => index.isServing)
      .map(index => ({
        id: index.id,
        index,
        name: index.name,
        table: counted ? (index.governedSide ?? index.side) : index.side,
        addMs: index.addMs,
        paused: index.paused,
      })),
  ];
}

/** Throws STORE_UNREADABLE for an expression that another version accepted and this one does not. */
function readerOf(index: string, source: TtlSource): ReferenceTimeReader {
  try {
    return referenceTimeReader(source);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    throw new SandglassError(
      'STORE_UNREADABLE',
      `The expression of its TTL index ${index} is none to this version of Sandglass (${error.message}) Open the store with the version that made it, and drop or change that index there.`,
      { index, ...error.data },
    );
  }
}

const pendingChange = z.object({
  source: ttlSource,
  definition: storedDefinition,
  by: z.string(),
  since: z.number(),
  dueAtOnce: z.number(),
});
/** A held definition of an index, without effect yet: confirming it would make `dueAtOnce` documents due [R8]. */
export interface PendingChange {
  source: TtlSource;
  /** The whole definition without its name. */
  definition: Omit<TtlIndexDefinition, 'name'>;
  by: string;
  since: number;
  dueAtOnce: number;
}

interface CollectionRow {
  id: number;
  name: string;
  created_at: number;
  paused: string | null;
  documents: number;
  bytes: number;
  explicit: number;
  recounted_through_row: number | null;
  resumed_at: number;
}
interface SuccessorRow {
  source: number;
  definition: string;
  side: number;
  built_through_row: number | null;
  by: string;
  since: number;
  change: 'change' | 'revert';
  expected: number;
  rules: number;
}
interface IndexRow {
  id: number;
  collection: number;
  name: string;
  definition: string;
  paused: string | null;
  created_at: number;
  created_by: string;
  effective_at: number;
  built_through_row: number | null;
  rules: number;
  was_due: number | null;
  acting: number;
  confirmed: number;
  expected: number;
  pending: string | null;
  side: number;
  governed_side: number | null;
}

function readSuccessor(name: string, row: SuccessorRow): CatalogSuccessor {
  const { source, side, by, since, change } = row;
  const definition = { name, ...storedDefinition.parse(parseJson(row.definition)) };
  const isOutdated = row.rules !== READING_RULES_VERSION;
  return {
    ...{ source, definition, side, by, since, change, isOutdated },
    builtThroughRow: isOutdated ? 0 : row.built_through_row,
    isExpected: row.expected === 1,
    read: readerOf(name, definition.source),
  };
}

/** Reads every definition: a few rows, however large the store is. */
export function loadCatalog(db: Database): Catalog {
  const meta = new Meta(db);
  const rows = db
    .prepare<[], IndexRow>('SELECT * FROM ttl_indexes WHERE dropped_at IS NULL ORDER BY id')
    .all();
  const successors = new Map(
    db
      .prepare<[], SuccessorRow>('SELECT * FROM successors')
      .all()
      .map(row => [row.source, row]),
  );
  const collections = new Map<string, CatalogCollection>();
  for (const row of db.prepare<[], CollectionRow>('SELECT * FROM collections ORDER BY name').all()) {
    collections.set(row.name, {
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      paused: parsePause(row.paused),
      documents: row.documents,
      bytes: row.bytes,
      explicit: row.explicit,
      resumedAt: row.resumed_at,
      recountedThroughRow: row.recounted_through_row,
      indexes: rows
        .filter(index => index.collection === row.id)
        .map(index => new CatalogIndex(index, successors.get(index.id))),
    });
  }
  return {
    paused: parsePause(meta.text('paused')),
    settings: settingsAnswer.parse(JSON.parse(meta.text('settings') ?? '{}')),
    holds: loadHolds(db),
    collections,
  };
}

interface HoldRow {
  id: number;
  collectionId: number;
  name: string | null;
  cause: string;
  index: string | null;
  since: number;
  by: string;
  due: number;
  documents: number;
  durationMs: number | null;
}

/** Leaves out holds of dropped collections, which apply again after a restore. */
function loadHolds(db: Database): CatalogHold[] {
  return db
    .prepare<[], HoldRow>(
      `SELECT h.id, h.collection AS collectionId, c.name, h.cause, i.name AS "index", h.since, h.by, h.due,
              h.documents, h.duration_ms AS durationMs
       FROM holds AS h LEFT JOIN collections AS c ON c.id = h.collection
            LEFT JOIN ttl_indexes AS i ON i.id = h.source
       WHERE h.collection = 0 OR c.id IS NOT NULL ORDER BY h.id`,
    )
    .all()
    .map(({ id, collectionId, name, ...rest }) => ({
      ...holdRecord.parse({ id: String(id), collection: name, ...rest }),
      collectionId: collectionId === 0 ? null : collectionId,
    }));
}

/** Returns the holds that apply to a collection: its own and the store's. */
export function holdsOf({ holds }: Pick<Catalog, 'holds'>, collection: string): CatalogHold[] {
  return holds.filter(one => one.collection === null || one.collection === collection);
}

export function isHeld(catalog: Pick<Catalog, 'holds'>, collection: string): boolean {
  return holdsOf(catalog, collection).length > 0;
}

function parsePause(text: string | null): Pause | null {
  return text === null ? null : pause.parse(JSON.parse(text));
}
