import {
  EXPIRATION_MEMBER,
  type ExportedExpiration,
} from '../../../../shared/contract/exported-expiration.ts';
import { onExpire } from '../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { parseJson } from '../../../../shared/model/json.ts';
import { type Deadline, deadlineAt, isHidden, NEVER } from '../../expiry/deadline.ts';
import type { ExportPage, ExportQuery } from '../backend.ts';
import type { CatalogIndex } from './catalog.ts';
import { ROW, type StoredRow, storedDeadline } from './collection-writer.ts';
import { nameOf } from './read-documents.ts';
import type { Reader } from './reader.ts';

/** A page ends here at the latest: it has to fit a message, and others want to be read for too. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;
const PAGE_MS = 50;

/**
 * A page of a collection as NDJSON, in the order the rows lie in the file, each document's text as it was written.
 * A page is true of one revision; a document written between two pages is in one of them or in none, never in both.
 */
export function exportPage(
  reader: Reader,
  { collection: name, after, deadlines, includeExpired, limit }: ExportQuery,
  now: number,
  elapsed: () => number,
): ExportPage {
  const collection = reader.collection(name);
  const dead = reader.dead.of(collection.id);
  const rows = reader.db.prepare<[number], StoredRow>(
    `SELECT ${ROW} FROM documents_${collection.id} WHERE row > ? ORDER BY row`,
  );
  const stopAt = elapsed() + PAGE_MS;
  const lines: string[] = [];
  let characters = 0;
  let last: number | null = null;
  let next: string | null = null;
  for (const stored of rows.iterate(rowOf(after))) {
    if (last !== null && (lines.length >= limit || characters >= PAGE_CHARACTERS || elapsed() > stopAt)) {
      next = String(last);
      break;
    }
    last = stored.row;
    if (dead.has(stored.row)) continue;
    const needsDeadline = deadlines || stored.explicitAt !== null || collection.indexes.length > 0;
    const deadline: Deadline<CatalogIndex> = needsDeadline
      ? storedDeadline(
          stored,
          parseJson(stored.body),
          collection.indexes,
          reader.quarantine.sourcesOf(collection.id, stored.row),
        )
      : { kind: 'none' };
    if (!includeExpired && isHidden(deadline, now)) continue;
    const line = onOneLine(stored.body, deadlines ? expirationOf(stored, deadline, now) : null);
    lines.push(line);
    characters += line.length;
  }
  return {
    text: lines.map(line => `${line}\n`).join(''),
    documents: lines.length,
    next,
    revision: reader.revision,
  };
}

function rowOf(after: string | undefined): number {
  if (after === undefined) return 0;
  if (!/^[0-9]{1,15}$/.test(after))
    throw new SandglassError('BAD_REQUEST', 'after is what the page before answered as next.', { after });
  return Number(after);
}

function expirationOf(
  { explicitAt, explicitAfter, explicitAction }: StoredRow,
  deadline: Deadline<CatalogIndex>,
  now: number,
): ExportedExpiration {
  const kept: ExportedExpiration = {
    deadlineAt: deadlineAt(deadline),
    deadlineFrom: nameOf(deadline),
    exportedAt: now,
  };
  if (explicitAt === NEVER) kept.explicit = { never: true };
  else if (explicitAt !== null) {
    const action = explicitAction === null ? {} : { onExpire: onExpire.parse(JSON.parse(explicitAction)) };
    kept.explicit = { at: explicitAt, ...action };
  }
  if (explicitAfter !== null) kept.after = explicitAfter / 1000;
  return kept;
}

/** A line break in JSON is white space between two words of it: inside a string it would not be valid. */
function onOneLine(body: string, expiration: ExportedExpiration | null): string {
  const line = body.replaceAll(/[\r\n]+/g, ' ').trim();
  if (expiration === null) return line;
  const rest = line.slice(0, -1).trimEnd();
  const comma = rest.endsWith('{') ? '' : ',';
  return `${rest}${comma}${JSON.stringify(EXPIRATION_MEMBER)}:${JSON.stringify(expiration)}}`;
}
