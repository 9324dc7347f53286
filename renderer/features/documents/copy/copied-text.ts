import { t } from '@lingui/core/macro';
import { CsvColumnNames, csvWriter } from '../../../../shared/model/export/csv-text.ts';
import { quoted } from '../../../../shared/model/index-statements/shell-command.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../shared/model/json/json.ts';

/** `rest`: a `curl` command that writes the documents; `command`: the same on Sandglass's command line. */
export type CopyFormat = 'json' | 'csv' | 'rest' | 'command';

export const COPY_FORMATS: readonly { format: CopyFormat; label: string }[] = [
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV' },
  { format: 'rest', label: t`REST call` },
  { format: 'command', label: t`command` },
];

/** Returns a value as pasted text: strings without quotes, other values as JSON. */
export function copiedValue(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** `address`: of the host, `http://localhost:7263`. */
export function copiedText(
  format: CopyFormat,
  {
    collection,
    address,
    documents,
  }: { collection: string; address: string; documents: readonly JsonObject[] },
): string {
  const [first] = documents;
  const isOne = documents.length === 1;
  switch (format) {
    case 'json':
      return stringifyJson(isOne ? first : documents, 2);
    case 'csv':
      return csvOf(documents);
    case 'rest': {
      const path = `${address}/api/collections/${encodeURIComponent(collection)}/documents`;
      const call = isOne
        ? `-X PUT ${quoted(`${path}/${encodeURIComponent(String(first?._id))}`)}`
        : `-X POST ${quoted(`${path}?mode=upsert`)}`;
      const body = stringifyJson(isOne ? first : documents);
      return `curl ${call} -H "Authorization: Bearer $SANDGLASS_TOKEN" -H 'Content-Type: application/json' --data-raw ${quoted(body)}`;
    }
    case 'command': {
      const lines = documents.map(document => quoted(stringifyJson(document))).join(' ');
      const name = collection.startsWith('-') ? `-- ${quoted(collection)}` : quoted(collection);
      return `printf '%s\\n' ${lines} | sandglass import --format ndjson --mode upsert - ${name}`;
    }
  }
}

/** CSV with one column for each field of the documents. */
function csvOf(documents: readonly JsonObject[]): string {
  const columns = new CsvColumnNames('');
  for (const document of documents) columns.add(document);
  const writer = csvWriter(columns.names, '');
  return writer.header() + documents.map(document => writer.row(document)).join('');
}
