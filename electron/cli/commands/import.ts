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
import { formatProgress } from '../session/follow-job.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

/** Characters per call: large enough to be fast, small enough for other calls to run in between. */
const PIECE = 256 * 1024;
const MOST_SHOWN = 20;

export const importCommand: Command = {
  name: 'import',
  summary: 'Write the documents of a file, or of standard input (-), into a collection',
  arguments: [{ name: 'FILE' }, { name: 'COLLECTION' }],
  options: {
    mode: {
      value: 'insert|upsert',
      help: 'refuse or overwrite a document whose _id exists (default: upsert)',
    },
    'id-field': { value: 'FIELD', help: 'field that becomes _id in documents without _id' },
    deadlines: {
      value: 'absolute|remaining|none',
      help: 'use the deadlines of an export unchanged, as remaining time from now, or not (default: absolute)',
    },
    format: {
      value: importFormat.options.join('|'),
      help: 'default: from the file’s name and first character; never mongoexport or arangoexport',
    },
    delimiter: { value: 'comma|semicolon|tab|bar', help: 'delimiter of csv (default: from the first row)' },
    'no-create': { help: 'fail where the collection does not exist' },
  },
  notes: [
    'The exit code is 1 where documents were refused; the others are written.',
    'After Ctrl-C or a failure, written documents stay; the output names the last durable line.',
  ],
  store: 'creates',
  async run(session) {
    const { args, terminal, open } = session;
    const file = args.argument('FILE');
    const options = optionsOf(args);
    // Read before the store is opened: a missing file must not create a store.
    const totalBytes = file === '-' ? undefined : (await stat(file)).size;
    const pieces = textOf(file === '-' ? session.input : createReadStream(file), file);
    const first = await pieces.next();
    const { client } = await open();
    const started = await client.imports.start({
      collection: args.argument('COLLECTION'),
      create: !args.has('no-create'),
      format: options.format ?? guessFormat(file, first.value ?? ''),
      mode: options.mode,
      deadlines: options.deadlines,
      subject: file === '-' ? 'standard input' : basename(file),
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(options.idField === undefined ? {} : { idField: options.idField }),
      ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    });
    const job = await feed(session, client, started, first.value ?? '', pieces);
    await terminal.answer(job, () => formatImport(job));
    return (job.rejectedCount ?? 0) === 0 ? EXIT.done : EXIT.failed;
  },
};

function optionsOf(args: ParsedArguments) {
  return {
    mode: args.oneOf('mode', writeMode.options) ?? 'upsert',
    deadlines: args.oneOf('deadlines', importDeadlines.options) ?? 'absolute',
    format: args.oneOf('format', importFormat.options),
    idField: args.text('id-field'),
    delimiter: delimiterOf(args.oneOf('delimiter', ['comma', 'semicolon', 'tab', 'bar'])),
  };
}

/** Delimiters are given by name, since most of the characters need quotes in a shell. */
function delimiterOf(name: 'comma' | 'semicolon' | 'tab' | 'bar' | undefined): CsvDelimiter | undefined {
  return name && ({ comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const)[name];
}

/** Appends piece by piece, each durable before the next is read: memory use does not depend on the size. */
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
      terminal.progress(formatProgress(job));
    }
  };
  try {
    await append(first);
    for await (const text of others) await append(text);
    return await client.imports.finish({ job: job.id });
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    // Cancelling fails if the job itself has failed and needs no cancelling.
    await client.jobs.cancel({ job: job.id }).catch(() => {});
    terminal.message(durable(job));
    throw error;
  }
}

function durable({ committedLines = 0 }: Job): string {
  return `Every line up to ${formatCount(committedLines)} is imported or refused.`;
}

/**
 * Yields decoded text. Throws if the input is not UTF-8, which would otherwise be stored with replacement characters.
 */
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
  // A .json file may have documents over several lines.
  return extname(file).toLowerCase() === '.json' ? 'json' : 'ndjson';
}

function formatImport(job: Job): string[] {
  const { inserted = 0, updated = 0, expiredOnArrival = 0, rejectedCount = 0, rejected = [] } = job;
  const lines = [
    `${formatCount(inserted)} inserted, ${formatCount(updated)} updated, ${formatCount(rejectedCount)} refused.`,
  ];
  if (expiredOnArrival > 0)
    lines.push(
      `Past their deadline on arrival: ${formatCount(expiredOnArrival)}. \`sandglass reaper status\` shows whether they are held.`,
    );
  for (const { line, message } of rejected.slice(0, MOST_SHOWN)) lines.push(`  line ${line}: ${message}`);
  if (rejectedCount > MOST_SHOWN) lines.push(`  … and ${formatCount(rejectedCount - MOST_SHOWN)} more`);
  return lines;
}
