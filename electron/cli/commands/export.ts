import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Client } from '../../../shared/contract/index.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { sidecarMessage, storeOfSidecar } from '../../engine/files/sidecar-files.ts';
import { synced } from '../../engine/files/sync-to-disk.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed, interrupted } from '../output/failures.ts';
import { formatDocuments } from '../output/format.ts';
import type { Command, Session } from '../session/command.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write a collection as NDJSON to a file, or to standard output',
  arguments: [{ name: 'COLLECTION' }, { name: 'FILE', optional: true }],
  options: {
    deadlines: {
      help: 'add each document’s deadline as $expiration, for `sandglass import --deadlines`',
    },
    force: { help: 'overwrite an existing FILE' },
    'include-expired': { help: 'include overdue documents that are not removed yet' },
  },
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const collection = args.argument('COLLECTION');
    const file = args.optional('FILE');
    if (file !== undefined && file !== '-' && existsSync(file) && !args.has('force')) {
      throw new CommandFailed(
        EXIT.conflict,
        `There is a file ${file} already. Give --force to overwrite it, or choose another name.`,
        { file },
      );
    }
    const store = file === undefined ? undefined : storeOfSidecar(resolve(file));
    if (file !== undefined && store !== undefined)
      throw new CommandFailed(EXIT.refused, sidecarMessage(file, store), { file });
    const { client } = await open();
    const { documents: total, overdue } = await client.collections.get({ collection });
    if (overdue > 0 && !args.has('include-expired') && !terminal.json) {
      terminal.message(
        `${formatDocuments(overdue)} past the deadline and not removed yet ${overdue === 1 ? 'is' : 'are'} left out; --include-expired includes them.`,
      );
    }
    if (file === undefined || file === '-') {
      await readAll(session, client, collection, total, text => terminal.writeJsonLines(text));
      return undefined;
    }
    const documents = await toFile(file, write => readAll(session, client, collection, total, write));
    await terminal.answer({ collection, file, documents }, () => [
      `Exported ${formatDocuments(documents)} of ${collection} to ${file}.`,
    ]);
    return undefined;
  },
};

type Write = (text: string) => Promise<void>;

/** Reads page by page, at the speed of `write`. Resolves to the number of documents. */
async function readAll(
  { args, terminal, signal }: Session,
  client: Client,
  collection: string,
  total: number,
  write: Write,
): Promise<number> {
  let documents = 0;
  for (let after: string | undefined; ; ) {
    if (signal.aborted) throw interrupted(`Interrupted after ${formatDocuments(documents)}.`, { documents });
    const page = await client.exports.read({
      collection,
      deadlines: args.has('deadlines'),
      includeExpired: args.has('include-expired'),
      ...(after === undefined ? {} : { after }),
    });
    await write(page.text);
    documents += page.documents;
    if (page.next === null) return documents;
    after = page.next;
    terminal.progress(`export ${collection}: ${formatCount(documents)} of ${formatCount(total)}`);
  }
}

/** Writes to FILE.part and renames it when complete, so that FILE is never an incomplete export. */
async function toFile(file: string, fill: (write: Write) => Promise<number>): Promise<number> {
  const part = `${file}.part`;
  const stream = createWriteStream(part, { flush: true });
  try {
    await once(stream, 'open');
    const documents = await fill(async text => {
      if (!stream.write(text)) await once(stream, 'drain');
    });
    stream.end();
    await once(stream, 'close');
    await rename(part, file);
    synced(dirname(resolve(file)));
    return documents;
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
}
