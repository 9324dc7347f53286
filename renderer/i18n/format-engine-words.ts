import { plural, t } from '@lingui/core/macro';
import { formatCount } from './format.ts';

/** The words of a connection's engine: documents and collections, keys and prefixes, or rows and tables. */
export interface Words {
  readonly record: 'document' | 'key' | 'row';
  readonly group: 'collection' | 'prefix' | 'table';
}

const DOCUMENTS: Words = { record: 'document', group: 'collection' };

/** Returns `Documents`, `Keys` or `Rows`. */
export function formatRecords({ record } = DOCUMENTS): string {
  return record === 'key' ? t`Keys` : record === 'row' ? t`Rows` : t`Documents`;
}

/** Returns `documents`, `keys` or `rows`, as within a sentence. */
export function formatRecordsInSentence({ record } = DOCUMENTS): string {
  return record === 'key' ? t`keys` : record === 'row' ? t`rows` : t`documents`;
}

/** Returns `1 document`, `3,102 keys`. */
export function formatRecordCount({ record } = DOCUMENTS, count: number): string {
  if (record === 'key') return plural(count, { one: '# key', other: '# keys' });
  if (record === 'row') return plural(count, { one: '# row', other: '# rows' });
  return plural(count, { one: '# document', other: '# documents' });
}

/** Returns `documents per 30 s`, with the engine's word. */
export function formatRecordsPer({ record } = DOCUMENTS, span: string): string {
  return record === 'key'
    ? t`keys per ${span}`
    : record === 'row'
      ? t`rows per ${span}`
      : t`documents per ${span}`;
}

/** Returns `Collection`, `Prefix` or `Table`. */
export function formatGroup({ group } = DOCUMENTS): string {
  return group === 'prefix' ? t`Prefix` : group === 'table' ? t`Table` : t`Collection`;
}

/** Returns `4 collections`, with the engine's word. */
export function formatGroupCount({ group } = DOCUMENTS, count: number): string {
  const shown = formatCount(count);
  if (group === 'prefix') return count === 1 ? t`1 prefix` : t`${shown} prefixes`;
  if (group === 'table') return count === 1 ? t`1 table` : t`${shown} tables`;
  return count === 1 ? t`1 collection` : t`${shown} collections`;
}
