import { type WriteReport, writeReport } from '../../../shared/contract/documents.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { ELEMENT_TOO_LONG } from '../../../shared/model/json/array-cutter.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { documentTooLarge } from '../answer/refused-body.ts';
import type { EngineLink } from '../engine/running-engine.ts';
import type { DocumentPart } from './document-parts.ts';

/** Further rejected documents and ids are only counted. */
const MOST_REPORTED = 1_000;
const TOO_LARGE = {
  code: 'DOCUMENT_TOO_LARGE',
  message: `The document has more than ${formatBytes(LARGEST_DOCUMENT_BYTES)} of JSON, which is the most.`,
};

/**
 * Calls `documents.write` with parts one after another, so that other calls run between two parts; with `atomic` in one
 * call. A document that is too large is rejected by its position; with `atomic`, all documents are [C1]. Stops when
 * `signal` aborts. Throws the errors of the engine; earlier parts then stay written.
 */
export async function writeParts(
  link: EngineLink,
  collection: string,
  query: URLSearchParams,
  parts: readonly DocumentPart[],
  signal: AbortSignal,
): Promise<WriteReport> {
  const given = queryValues(query);
  const write = async (body: string) => {
    const input = { params: { collection }, query: given, body };
    return writeReport.parse(await link.call(['documents', 'write'], input, { context: {}, signal }));
  };
  if (given.atomic !== undefined && given.atomic !== 'false' && given.atomic !== '0') {
    const texts = parts.map(part => {
      if (part === ELEMENT_TOO_LONG) throw documentTooLarge();
      return part;
    });
    return write(texts.join('\n'));
  }
  const sum: WriteReport = {
    inserted: 0,
    updated: 0,
    expiredOnArrival: 0,
    rejected: [],
    rejectedCount: 0,
    ids: [],
    revision: 0,
  };
  let line = 0;
  let isFew = true;
  for (const part of parts) {
    signal.throwIfAborted();
    // A call without documents is made too: it fails if the collection does not exist.
    const report = await write(part === ELEMENT_TOO_LONG ? '' : part);
    if (part === ELEMENT_TOO_LONG) report.rejected.push({ line: 1, ...TOO_LARGE });
    sum.inserted += report.inserted;
    sum.updated += report.updated;
    sum.expiredOnArrival += report.expiredOnArrival;
    sum.revision = report.revision;
    sum.rejectedCount = (sum.rejectedCount ?? 0) + report.rejected.length;
    for (const one of report.rejected.slice(0, MOST_REPORTED - sum.rejected.length))
      sum.rejected.push({ ...one, line: one.line + line });
    line += part === ELEMENT_TOO_LONG ? 1 : linesOf(part);
    isFew &&= line <= MOST_REPORTED;
    sum.ids = isFew ? [...sum.ids, ...report.ids] : [];
  }
  return sum;
}

/**
 * Converts a query to the contract's form: a repeated parameter becomes an array, which the contract refuses for single
 * values.
 */
function queryValues(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map(name => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function linesOf(part: string): number {
  let lines = 1;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
