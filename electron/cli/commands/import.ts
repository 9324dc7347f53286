import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { TextDecoder } from 'node:util';
import type { Client } from '../../../shared/contract/index.ts';
import {
  type ImportFormat,
  importDeadlines,
  importFormat,
  type Job,
  writeMode,
} from '../../../shared/contract/jobs.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { CsvDelimiter } from '../../../shared/model/import/csv-rows.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed, interrupted } from '../output/failures.ts';
import type { Command, Session } from '../session/command.ts';
import { progressInWords } from '../session/follow-job.ts';
import type { Given } from '../syntax/parsed-arguments.ts';

/** Characters handed over at once: large enough to be fast, small enough for others to come between. */
const PIECE = 256 * 1024;
const MOST_SHOWN = 20;

export const importCommand: Command = {
  name: 'import',
  summary: 'Write the documents of a file, or of standard input (-), into a collection',
  arguments: [{ name: 'FILE' }, { name: 'COLLECTION' }],
  options: {
    mode: {
      value: 'insert|upsert',
      help: 'what happens to an _id that is there: refused or overwritten (default: upsert)',
    },
    'id-field': { value: 'FIELD', help: 'the field that becomes _id where a document has none' },
    deadlines: {
      value: 'absolute|remaining|none',
      help: 'of the deadlines an export kept: as they are, the time that was left, or none (default: absolute)',
    },
    format: {
      value: importFormat.options.join('|'),
      help: 'default: by the file’s name and first character; mongoexport and arangoexport have to be named',
    },
    delimiter: { value: 'comma|semicolon|tab|bar', help: 'of csv (default: by the first row)' },
    'no-create': { help: 'the collection has to be there' },
  },
  notes: [
    'Ends with 1 where some documents were refused; the others are written all the same.',
    'What was written before Ctrl-C or a failure stays: the answer names the last line that is durable.',
  ],
  store: 'makes',
  async run(session) {
    const { given, terminal, open } = session;
    const file = given.argument('FILE');
    const options = optionsOf(given);
    // Before a store is opened or made for it.
    const totalBytes = file === '-' ? undefined : (await stat(file)).size;
    const pieces = textOf(file === '-' ? session.input : createReadStream(file), file);
    const first = await pieces.next();
    const { client } = await open();
    const started = await client.imports.start({
      collection: given.argument('COLLECTION'),
      create: !given.has('no-create'),
      format: options.format ?? guessFormat(file, first.value ?? ''),
      mode: options.mode,
      deadlines: options.deadlines,
      subject: file === '-' ? 'standard input' : basename(file),
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(options.idField === undefined ? {} : { idField: options.idField }),
      ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    });
    const job = await feed(session, client, started, first.value ?? '', pieces);
    await terminal.answer(job, () => reportOf(job));
    return (job.rejectedCount ?? 0) === 0 ? EXIT.done : EXIT.failed;
  },
};

function optionsOf(given: Given) {
  return {
    mode: given.oneOf('mode', writeMode.options) ?? 'upsert',
    deadlines: given.oneOf('deadlines', importDeadlines.options) ?? 'absolute',
    format: given.oneOf('format', importFormat.options),
    idField: given.text('id-field'),
    delimiter: delimiterOf(given.oneOf('delimiter', ['comma', 'semicolon', 'tab', 'bar'])),
  };
}

/** By name: a shell makes little of most of the signs themselves. */
function delimiterOf(name: 'comma' | 'semicolon' | 'tab' | 'bar' | undefined): CsvDelimiter | undefined {
  return name && ({ comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const)[name];
}

/** Each piece is durable before the next is read, so memory stays small whatever the size. */
async function feed(
  { terminal, signal }: Session,
  client: Client,
  started: Job,
  first: string,
  others: AsyncGenerator<string>,
): Promise<Job> {
  let job = started;
  const append = async (text: string) => {
    for (let from = 0; from < text.length; from += PIECE) {
      if (signal.aborted) {
        await client.jobs.cancel({ job: job.id });
        throw interrupted(`Interrupted. ${durable(job)}`, { job });
      }
      job = await client.imports.append({ job: job.id, text: text.slice(from, from + PIECE) });
      terminal.progress(progressInWords(job));
    }
  };
  try {
    await append(first);
    for await (const text of others) await append(text);
    return await client.imports.finish({ job: job.id });
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    // The job may be what failed; then there is nothing left to cancel.
    await client.jobs.cancel({ job: job.id }).catch(() => {});
    terminal.say(durable(job));
    throw error;
  }
}

function durable({ committedLines = 0 }: Job): string {
  return `Every line up to ${formatCount(committedLines)} is in the store or refused.`;
}

/** Text in pieces. Throws where it is not UTF-8: read as something else it would be stored wrong. */
async function* textOf(stream: AsyncIterable<unknown>, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new CommandFailed(EXIT.failed, `${file === '-' ? 'Standard input' : file} is not UTF-8.`);
    }
  };
  for await (const chunk of stream) {
    if (Buffer.isBuffer(chunk)) yield decode(chunk);
  }
  yield decode();
}

function guessFormat(file: string, beginning: string): ImportFormat {
  if (/^\.(csv|tsv)$/i.test(extname(file))) return 'csv';
  if (/^\s*\[/.test(beginning)) return 'json';
  // One document over several lines is no line of NDJSON.
  return extname(file).toLowerCase() === '.json' ? 'json' : 'ndjson';
}

function reportOf(job: Job): string[] {
  const { inserted = 0, updated = 0, expiredOnArrival = 0, rejectedCount = 0, rejected = [] } = job;
  const lines = [
    `${formatCount(inserted)} inserted, ${formatCount(updated)} updated, ${formatCount(rejectedCount)} refused.`,
  ];
  if (expiredOnArrival > 0)
    lines.push(
      `Past their deadline on arrival: ${formatCount(expiredOnArrival)}. \`sandglass reaper status\` tells whether they are held.`,
    );
  for (const { line, message } of rejected.slice(0, MOST_SHOWN)) lines.push(`  line ${line}: ${message}`);
  if (rejectedCount > MOST_SHOWN) lines.push(`  … and ${formatCount(rejectedCount - MOST_SHOWN)} more`);
  return lines;
}
