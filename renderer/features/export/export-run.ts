import { EXPIRATION_MEMBER } from '../../../shared/contract/exports.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { CsvColumnNames, csvWriter } from '../../../shared/model/export/csv-text.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../shared/model/json/json.ts';
import { utf8Length } from '../../../shared/model/names.ts';
import { oneAction } from '../../api.ts';
import type { FileSink } from '../../components/file-sink.ts';
import type { ExportPlan } from './export-plan.ts';

export interface ExportProgress {
  /** Whether the columns of a CSV are being found: documents are read twice. */
  step: 'columns' | 'writing';
  documents: number;
  bytes: number;
}

export interface ExportEnd extends ExportProgress {
  /** Documents that gained a field while the file was written: the field is missing from the file. */
  incomplete: number;
}

const IDS_A_CALL = 5_000;

/** The text of a page, one document per line, and their number. */
export type Pages = (
  plan: ExportPlan,
  signal: AbortSignal,
) => AsyncIterable<{ text: string; documents: number }>;

/**
 * Reads documents page by page and writes each page at once, in constant memory. Rejects with errors of reading or
 * writing, and with an AbortError when the signal aborts; the caller then aborts the file.
 */
export async function runExport(
  plan: ExportPlan,
  sink: Pick<FileSink, 'write'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  pages: Pages = readPages,
): Promise<ExportEnd> {
  const end: ExportEnd = { step: 'writing', documents: 0, bytes: 0, incomplete: 0 };
  const write = async (text: string, documents: number) => {
    signal.throwIfAborted();
    await sink.write(text);
    end.documents += documents;
    end.bytes += utf8Length(text);
    onProgress({ ...end });
  };
  if (plan.format === 'csv') {
    const names = await columnsOf(plan, signal, onProgress, pages);
    const csv = csvWriter(names, EXPIRATION_MEMBER, plan);
    await write(csv.header(), 0);
    for await (const { text, documents } of pages(plan, signal))
      await write(documentsOf(text).map(csv.row).join(''), documents);
    return { ...end, incomplete: csv.incomplete };
  }
  const isArray = plan.format === 'json';
  if (isArray) await write('[', 0);
  for await (const { text, documents } of pages(plan, signal)) {
    if (documents === 0) continue;
    await write(isArray ? elements(text, end.documents === 0) : text, documents);
  }
  if (isArray) await write('\n]\n', 0);
  return end;
}

async function columnsOf(
  plan: ExportPlan,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  pages: Pages,
): Promise<readonly string[]> {
  const columns = new CsvColumnNames(EXPIRATION_MEMBER);
  let seen = 0;
  for await (const { text, documents } of pages(plan, signal)) {
    signal.throwIfAborted();
    for (const document of documentsOf(text)) columns.add(document);
    seen += documents;
    onProgress({ step: 'columns', documents: seen, bytes: 0 });
  }
  return columns.names;
}

/** Formats lines as further elements of an array. */
function elements(text: string, isFirst: boolean): string {
  return `${isFirst ? '' : ','}\n${text.trimEnd().replaceAll('\n', ',\n')}`;
}

function documentsOf(text: string): JsonObject[] {
  return text.split('\n').flatMap(line => {
    const value = line === '' ? undefined : parseJson(line);
    return isJsonObject(value) ? [value] : [];
  });
}

async function* readPages(
  { collection, deadlines, includeExpired, filter, ids }: ExportPlan,
  signal: AbortSignal,
) {
  const { exports } = oneAction();
  const asked = { collection, deadlines, includeExpired };
  if (ids !== null) {
    for (let from = 0; from < ids.length; from += IDS_A_CALL)
      yield* walk(exports, { ...asked, ids: ids.slice(from, from + IDS_A_CALL) }, signal);
    return;
  }
  yield* walk(exports, { ...asked, ...(filter !== null && { filter }) }, signal);
}

type Exports = Client['exports'];
type Asked = Parameters<Exports['read']>[0];
type Answer = Awaited<ReturnType<Exports['read']>>;

async function* walk(exports: Exports, asked: Asked, signal: AbortSignal): AsyncGenerator<Answer> {
  let after: string | null = null;
  do {
    const page: Answer = await exports.read({ ...asked, ...(after !== null && { after }) }, { signal });
    yield page;
    after = page.next;
  } while (after !== null);
}
