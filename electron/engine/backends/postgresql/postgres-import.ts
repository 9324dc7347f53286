import { SandglassError } from '../../../../shared/model/errors.ts';
import { NEVER } from '../../expiry/deadline.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DocumentImport, ImportedDocument, ImportOptions, ImportReport } from '../port/import.ts';
import { readColumns } from './catalog/columns.ts';
import type { TableEntry } from './catalog/table-entry.ts';
import type { SessionPool } from './connection/session-pool.ts';
import { setExpirations } from './governance/expirations.ts';
import type { GovernanceSnapshot } from './governance/governance-snapshot.ts';
import { type IncomingRow, incomingRow } from './rows/import/incoming-row.ts';
import { insertRows } from './rows/import/insert-rows.ts';

export interface PostgresImportOptions {
  readonly pool: SessionPool;
  readonly clock: Pick<Clock, 'now'>;
  governed(): GovernanceSnapshot;
  /** Throws READ_ONLY, COLLECTION_NOT_FOUND, NOT_SUPPORTED. */
  writable(collection: string): Promise<TableEntry>;
  /** Called after rows were written. */
  written(collection: string): void;
}

/** Rows of one statement. */
const CHUNK = 200;

/**
 * Imports documents as rows of an existing table. An explicit expiration is kept as one of the row; a deadline from a TTL
 * index is given by the columns, if the table has such an index.
 */
export class PostgresImport implements DocumentImport {
  readonly #options: PostgresImportOptions;

  constructor(options: PostgresImportOptions) {
    this.#options = options;
  }

  async open(collection: string): Promise<void> {
    await this.#options.writable(collection);
  }

  async write(
    collection: string,
    documents: readonly ImportedDocument[],
    { mode, by, isOver }: ImportOptions,
  ): Promise<ImportReport> {
    const { pool, clock, governed, writable, written } = this.#options;
    const entry = await writable(collection);
    const report: ImportReport = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: [] };
    const reject = ({ line, id }: ImportedDocument, { code, message }: SandglassError) => {
      report.rejected.push({ line, ...(id === null ? {} : { _id: id }), code, message });
    };
    await pool.use(async session => {
      const columns = await readColumns(session, entry);
      for (let from = 0; from < documents.length; from += CHUNK) {
        if (from > 0 && isOver?.() === true) {
          report.left = documents.length - from;
          return;
        }
        const rows: IncomingRow[] = [];
        for (const document of documents.slice(from, from + CHUNK)) {
          const at = explicitAt(document);
          if (isPast(document, governed().indexes.has(collection), clock.now())) {
            report.expiredOnArrival++;
            continue;
          }
          try {
            const row = incomingRow(entry, columns, document);
            if (at !== null) checkKeepsDeadline(governed(), row);
            rows.push(row);
          } catch (error) {
            if (!(error instanceof SandglassError)) throw error;
            reject(document, error);
          }
        }
        const kept: IncomingRow[] = [];
        for (const [row, outcome] of await insertRows(session, entry, rows, mode)) {
          if (outcome instanceof SandglassError) reject(row.document, outcome);
          else {
            report[outcome]++;
            kept.push(row);
          }
        }
        // Rows with the same deadline are one statement.
        const dated = kept.filter(({ document }) => explicitAt(document) !== null);
        for (const [at, part] of Map.groupBy(dated, ({ document }) => explicitAt(document))) {
          const ids = part.flatMap(({ id }) => id ?? []);
          await setExpirations(session, governed(), entry, { ids, at: { at, afterMs: null }, by });
        }
      }
    });
    written(collection);
    report.rejected.sort((a, b) => a.line - b.line);
    return report;
  }
}

/**
 * Whether the row would be removed at once. The deadline that a TTL index gave where the document was exported counts only if
 * this table has a TTL index; otherwise nothing removes the row.
 */
function isPast({ deadline }: ImportedDocument, hasIndex: boolean, now: number): boolean {
  if (deadline === null || deadline === 'never') return false;
  return (deadline.isExplicit || hasIndex) && deadline.at <= now;
}

/** The deadline of a document that a row keeps as its own; null: none. */
function explicitAt({ deadline }: ImportedDocument): number | typeof NEVER | null {
  if (deadline === 'never') return NEVER;
  return deadline?.isExplicit === true ? Math.round(deadline.at) : null;
}

/** Throws INVALID_EXPIRATION if the database cannot keep the deadline of a single row. */
function checkKeepsDeadline({ hasSchema }: GovernanceSnapshot, { id }: IncomingRow): void {
  const problem = !hasSchema
    ? 'Expirations of single rows are kept in the schema sandglass, which this database does not have. Create it, or import without deadlines.'
    : id === null
      ? 'A row whose key the server generates cannot be given a deadline by an import.'
      : null;
  if (problem !== null) throw new SandglassError('INVALID_EXPIRATION', problem, {});
}
