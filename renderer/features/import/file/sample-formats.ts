import { t } from '@lingui/core/macro';
import { EXPIRATION_MEMBER } from '../../../../shared/contract/exports.ts';
import type { ImportFormat } from '../../../../shared/contract/jobs.ts';
import { isArangoJson, withKeyAsId } from '../../../../shared/model/import/arango-json.ts';
import type { CsvDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { isExtendedJson, plainJson } from '../../../../shared/model/import/extended-json.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { type Lines, parsed } from './bad-lines.ts';
import { csvSample } from './csv-sample.ts';
import type { Sniffed } from './sniff.ts';

export const FORMAT_LABELS: Readonly<Record<ImportFormat, string>> = {
  ndjson: t`NDJSON, one document per line`,
  json: t`JSON, an array of documents`,
  csv: t`CSV, field names in the first row`,
  mongoexport: t`mongoexport, Extended JSON`,
  arangoexport: t`arangoexport, with _key`,
};

export const DELIMITER_LABELS: Readonly<Record<CsvDelimiter, string>> = {
  ',': t`Comma`,
  ';': t`Semicolon`,
  '\t': t`Tab`,
  '|': t`Pipe`,
};

/** Formats of a file, the most likely first. */
export function formatsOf({ format, sample }: Sniffed): readonly ImportFormat[] {
  if (format === 'csv') return ['csv'];
  const others = ['mongoexport', 'arangoexport'] as const;
  if (sample.some(isExtendedJson)) return ['mongoexport', format, 'arangoexport'];
  if (sample.length > 0 && sample.every(isArangoJson)) return ['arangoexport', format, 'mongoexport'];
  return [format, ...others];
}

/** Reads the sample in this format. */
export function readAs(sniffed: Sniffed, format: ImportFormat, delimiter: CsvDelimiter | null): Lines {
  const { sample, bad, csv } = sniffed;
  if (csv !== undefined) return csvSample(csv, delimiter ?? csv.delimiter);
  if (format === 'mongoexport') return { sample: sample.flatMap(rewritten(plainJson)), bad: [...bad] };
  if (format === 'arangoexport') return { sample: sample.flatMap(rewritten(withKeyAsId)), bad: [...bad] };
  return { sample: [...sample], bad: [...bad] };
}

function rewritten(rewrite: (text: string) => string) {
  return (document: JsonObject): JsonObject[] => {
    const value = parsed(rewrite(stringifyJson(document)));
    return isJsonObject(value) ? [value] : [];
  };
}

/** Whether documents of the sample have deadlines written by an export. */
export function bringsDeadlines(sample: readonly JsonObject[]): boolean {
  return sample.some(document => EXPIRATION_MEMBER in document);
}
