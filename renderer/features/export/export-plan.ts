import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { ExportRequest } from './export-request.ts';

export type ExportScope = 'all' | 'part' | 'selection';
export type ExportFormat = 'ndjson' | 'json' | 'csv';

export interface ExportPlan {
  collection: string;
  scope: ExportScope;
  format: ExportFormat;
  deadlines: boolean;
  /** CSV alone: what a spreadsheet would run is text. */
  formulasAsText: boolean;
  includeExpired: boolean;
  filter: DocumentFilter | null;
  ids: readonly string[] | null;
  /** How many it will be at most; null where only reading can tell. */
  total: number | null;
}

export const FORMATS: Readonly<Record<ExportFormat, { label: string; means: string; type: string }>> = {
  ndjson: {
    label: 'NDJSON',
    means: 'One document a line, its text as it was written.',
    type: 'application/x-ndjson',
  },
  json: {
    label: 'JSON',
    means: 'One array, the text of each document as it was written.',
    type: 'application/json',
  },
  csv: {
    label: 'CSV',
    means: 'A table. Objects become columns with dots, arrays JSON; null and missing are both empty.',
    type: 'text/csv',
  },
};

/** What can be chosen from, the narrowest first: it is what the person looks at. */
export function scopesOf({ part, ids }: ExportRequest): readonly ExportScope[] {
  return [
    ...(ids === null ? [] : ['selection' as const]),
    ...(part === null ? [] : ['part' as const]),
    'all',
  ];
}

export function scopeWords(scope: ExportScope, { collection, part, ids }: ExportRequest): string {
  if (scope === 'selection') {
    const count = ids?.length ?? 0;
    return count === 1 ? 'The selected document' : `The ${formatCount(count)} selected documents`;
  }
  return scope === 'part' ? `What the filter shows: ${part?.words ?? ''}` : `All of ${collection}`;
}

/** `sessions.ndjson`; what no file may be called by is replaced. */
export function fileNameOf(collection: string, scope: ExportScope, format: ExportFormat): string {
  const safe = collection.replaceAll(/[\\/:*?"<>|]/g, '_').replace(/^\.+/, '_');
  return `${safe}${scope === 'all' ? '' : '-part'}.${format}`;
}
