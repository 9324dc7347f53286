import { t } from '@lingui/core/macro';
import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import { formatCount } from '../../i18n/format.ts';
import type { ExportRequest } from './export-request.ts';

export type ExportScope = 'all' | 'part' | 'selection';
export type ExportFormat = 'ndjson' | 'json' | 'csv';

export interface ExportPlan {
  collection: string;
  scope: ExportScope;
  format: ExportFormat;
  deadlines: boolean;
  /** CSV only: formulas are written as text. */
  formulasAsText: boolean;
  includeExpired: boolean;
  filter: DocumentFilter | null;
  ids: readonly string[] | null;
  /** Upper bound of the number of documents; null: not known before reading. */
  total: number | null;
}

export const FORMATS: Readonly<Record<ExportFormat, { label: string; means: string; type: string }>> = {
  ndjson: {
    label: 'NDJSON',
    means: t`One document per line, its text as written.`,
    type: 'application/x-ndjson',
  },
  json: {
    label: 'JSON',
    means: t`One array, the text of each document as written.`,
    type: 'application/json',
  },
  csv: {
    label: 'CSV',
    means: t`A table. Nested fields become columns with dots, arrays become JSON; null and missing are both empty.`,
    type: 'text/csv',
  },
};

/** Returns the scopes to choose from, narrowest first. */
export function scopesOf({ part, ids }: ExportRequest): readonly ExportScope[] {
  return [
    ...(ids === null ? [] : ['selection' as const]),
    ...(part === null ? [] : ['part' as const]),
    'all',
  ];
}

export function formatScope(scope: ExportScope, { collection, part, ids }: ExportRequest): string {
  if (scope === 'selection') {
    const count = ids?.length ?? 0;
    return count === 1 ? t`The selected document` : t`The ${formatCount(count)} selected documents`;
  }
  return scope === 'part' ? t`Filtered documents: ${part?.description ?? ''}` : t`All of ${collection}`;
}

/** `sessions.ndjson`; characters not allowed in file names are replaced. */
export function fileNameOf(collection: string, scope: ExportScope, format: ExportFormat): string {
  const safe = collection.replaceAll(/[\\/:*?"<>|]/g, '_').replace(/^\.+/, '_');
  return `${safe}${scope === 'all' ? '' : '-part'}.${format}`;
}
