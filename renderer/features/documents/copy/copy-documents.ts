import { plural, t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { client, problemOf } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { formatCount } from '../../../i18n/format.ts';
import { type Column, fieldValue } from '../table/columns.ts';
import { COPY_FORMATS, type CopyFormat, copiedText, copiedValue } from './copied-text.ts';

/** Most documents that are copied: longer text is slow to paste, and an export writes a file. */
const MOST_DOCUMENTS = 10_000;
/** A desktop window has no address for REST calls. */
const NO_ADDRESS = 'http://localhost:7263';

/** Copies the value of a cell; instants as ISO 8601. */
export function copyCell(collection: string, row: DocumentRecord, column: Column): Promise<void> {
  return copied(t`${column.title} copied`, async () => {
    if (column.path === null) return fixedText(row, column.id);
    return copiedValue(fieldValue(await wholeOf(collection, row), column.path));
  });
}

export function copyRows(
  collection: string,
  rows: readonly DocumentRecord[],
  format: CopyFormat,
): Promise<void> {
  if (rows.length > MOST_DOCUMENTS) {
    showToast({
      kind: 'info',
      title: t`Too many documents to copy`,
      detail: t`At most ${formatCount(MOST_DOCUMENTS)}. Export writes any number into a file.`,
    });
    return Promise.resolve();
  }
  const label = COPY_FORMATS.find(known => known.format === format)?.label ?? format;
  const title = t`${plural(rows.length, { one: '# document', other: '# documents' })} copied as ${label}`;
  return copied(title, async () => {
    const documents: JsonObject[] = [];
    for (const row of rows) documents.push(await wholeOf(collection, row));
    const address = location.protocol.startsWith('http') ? location.origin : NO_ADDRESS;
    return copiedText(format, { collection, address, documents });
  });
}

/** Rows of large documents hold only the beginnings of values. */
async function wholeOf(collection: string, row: DocumentRecord): Promise<JsonObject> {
  if (!row.clipped) return row.document;
  return (await client.documents.get({ collection, id: row._id, includeExpired: true })).document;
}

function fixedText(row: DocumentRecord, column: string): string {
  const instant = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString());
  switch (column) {
    case 'state':
      return row.state;
    case 'deadline':
      return instant(row.deadlineAt);
    case 'from':
      return row.deadlineFrom ?? '';
    case 'updatedAt':
      return instant(row.updatedAt);
    default:
      return row._id;
  }
}

async function copied(title: string, text: () => Promise<string>): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text());
    showToast({ kind: 'good', title });
  } catch (error) {
    showToast({ kind: 'error', title: t`Not copied`, detail: problemOf(error).message });
  }
}
