import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { connectionLabel, connectionTarget } from '../../shared/contract/connections.ts';
import { HOME_CONNECTION, isConnectionId } from '../../shared/model/connection-id.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { diskFull, isOutOfSpace } from '../engine/files/disk.ts';
import { sideFile } from '../engine/files/side-names.ts';

const VERSION = 1;

const known = connectionLabel.extend({
  id: z.string().refine(id => isConnectionId(id) && id !== HOME_CONNECTION),
  target: connectionTarget,
  /** The person closed it: it is not opened by itself. */
  closed: z.boolean(),
});
const connectionList = z.object({
  version: z.literal(VERSION),
  /** Null: nobody said anything of the home store. */
  home: connectionLabel.nullable(),
  others: z.array(known),
});

export type KnownConnection = z.infer<typeof known>;
export type ConnectionList = Omit<z.infer<typeof connectionList>, 'version'>;

/**
 * The list is the home store's: beside it, and written by its owner alone, so that two Sandglass processes, whose home
 * stores are two, have two lists.
 */
export function connectionListFile(homeFile: string): string {
  return sideFile(homeFile, '-connections');
}

/** What the file holds; null: there is none. Throws CONNECTIONS_UNREADABLE. */
export function connectionListText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

/** Throws CONNECTIONS_UNREADABLE for what is broken or of a later version; `file`, of which `text` is, is left as it is. */
export function readConnectionList(file: string, text: string | null): ConnectionList {
  if (text === null) return { home: null, others: [] };
  const version = z.object({ version: z.number() }).safeParse(parse(text)).data?.version;
  if (version !== undefined && version > VERSION)
    throw unreadable(file, 'a later version of Sandglass wrote it');
  const read = connectionList.safeParse(parse(text));
  if (!read.success) throw unreadable(file, 'it is not what Sandglass wrote');
  return { home: read.data.home, others: read.data.others };
}

/**
 * Whoever reads meanwhile, or after a power cut, sees the old list or the new. Nobody else may read it. Answers what the
 * file holds then.
 */
export function writeConnectionList(file: string, list: ConnectionList): string {
  const next = `${file}.${process.pid}`;
  const whole = { version: VERSION, ...list } satisfies z.infer<typeof connectionList>;
  const text = `${JSON.stringify(whole, null, 2)}\n`;
  try {
    writeFileSync(next, text, { mode: 0o600, flush: true });
    renameSync(next, file);
    return text;
  } catch (error) {
    rmSync(next, { force: true });
    if (isOutOfSpace(error, file)) throw diskFull(file, Buffer.byteLength(text));
    throw new SandglassError(
      'CONNECTIONS_UNREADABLE',
      `The list of connections cannot be kept in ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      { file },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(file: string, why: string): SandglassError {
  return new SandglassError(
    'CONNECTIONS_UNREADABLE',
    `The list of connections in ${file} cannot be read: ${why}. It was left as it is, and until it can be read only the home store is open: repair it or move it away, and start Sandglass again.`,
    { file },
  );
}
