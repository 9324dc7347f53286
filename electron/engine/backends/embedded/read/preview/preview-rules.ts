import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { textReader } from '../../../../../../shared/model/date-text-reader.ts';
import { ISO } from '../../../../../../shared/model/dates/format-list.ts';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { compileDeadlineExpression } from '../../../../../../shared/model/expressions/deadline-expression.ts';
import { referenceTimeReader } from '../../../../../../shared/model/expressions/reference-time-reader.ts';
import type { ReferenceTime } from '../../../../../../shared/model/reference-time.ts';
import { expireAfterMs, type TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import { NEVER } from '../../../../expiry/deadline.ts';
import type { PreviewQuery } from '../../../backend.ts';
import type { CatalogCollection } from '../../catalog/catalog.ts';
import type { CatalogIndex } from '../../catalog/catalog-index.ts';
import { storedDeadline } from '../../catalog/stored-deadline.ts';
import type { StoredRow } from '../../tables/documents/stored-row.ts';
import type { ReadConnection } from '../read-connection.ts';
import { findIndex } from '../read-summaries.ts';
import { fieldsOf } from './preview-terms.ts';

/** Computes the deadline of a scanned document, explicit expirations included. */
export interface ScanRule {
  kind: Preview['kind'];
  addMs: number;
  inputs: RuleInputs;
  read(stored: ScannedRow, document: unknown): ReferenceTime;
  /** Returns the message for a document without a deadline [D8]. */
  problemOf(document: unknown, updatedAt: number): string | null;
  /** Paths of the fields that are read, to show their values. */
  fields: readonly (readonly string[])[];
  /** Formats of its field that a proposal with a further format repeats; null: formats cannot be chosen. */
  formats: readonly string[] | null;
}

/** Inputs that `read` uses; any other may have any value. */
export interface RuleInputs {
  document: boolean;
  /** Path of the only field used; null for the whole document. */
  field: string | null;
  /** Whether integers beyond 2^53 must be exact; as instants they are read as numbers anyway. */
  longIntegers: boolean;
  updatedAt: boolean;
}

/** Inputs of a deadline besides the document. */
export type ScannedRow = Pick<StoredRow, 'row' | 'updatedAt' | 'explicitAt' | 'explicitAction'>;

/** Throws TTL_INDEX_NOT_FOUND, INVALID_TTL_INDEX, BAD_REQUEST. */
export function ruleOf(
  reader: ReadConnection,
  collection: CatalogCollection,
  { name, source, drop }: PreviewQuery,
): ScanRule {
  if (drop === true) return ruleWithoutIndex(reader, collection, findIndex(collection, name ?? ''));
  if (source !== undefined) return ruleOfSource(source, name === undefined ? 'create' : 'change');
  throw new SandglassError(
    'BAD_REQUEST',
    'A preview needs a source, or the name of an index and drop: true.',
  );
}

/** Rule of an index with this source alone; explicit expirations outrank it. */
function ruleOfSource(source: TtlSource, kind: 'create' | 'change'): ScanRule {
  const read = referenceTimeReader(source);
  const expression = source.kind === 'expression' ? compileDeadlineExpression(source.expression) : null;
  const formats = source.kind === 'field' ? source.formats : undefined;
  // A number is read as text, so every digit is needed.
  const readsDigits = formats !== undefined && textReader({ formats }).readsNumbers;
  return {
    kind,
    addMs: expireAfterMs(source),
    inputs: {
      document: source.kind !== 'lastModified',
      field:
        source.kind === 'field' && source.expireAfterField === undefined && !readsDigits
          ? source.field
          : null,
      longIntegers: source.kind === 'expression' || readsDigits,
      updatedAt: source.kind !== 'field',
    },
    read: ({ updatedAt, explicitAt }, document) =>
      explicitAt === null
        ? read(document, updatedAt)
        : { reason: explicitAt === NEVER ? 'pinned' : 'set by hand' },
    problemOf: expression === null ? () => null : (document, at) => expression.problem(document, at),
    fields: fieldsOf(source),
    formats: source.kind === 'field' ? (formats ?? [ISO]) : null,
  };
}

/** Rule of the remaining indexes and explicit expirations after one index is dropped. */
function ruleWithoutIndex(
  { quarantine }: ReadConnection,
  collection: CatalogCollection,
  dropped: CatalogIndex,
): ScanRule {
  const rest = collection.indexes.filter(index => index !== dropped);
  return {
    kind: 'drop',
    addMs: 0,
    inputs: { document: rest.length > 0, field: null, longIntegers: true, updatedAt: true },
    read(stored, document) {
      const out = quarantine.sourcesOf(collection.id, stored.row);
      const deadline = storedDeadline(stored, document, rest, out);
      if (deadline.kind === 'pinned') return { reason: 'pinned' };
      if (deadline.kind !== 'none') return { at: deadline.at };
      const isQuarantinedElsewhere = [...out].some(source => source !== dropped.id);
      return { reason: isQuarantinedElsewhere ? 'quarantined' : 'no TTL index' };
    },
    problemOf: () => null,
    fields: fieldsOf(dropped.definition.source),
    formats: null,
  };
}
