import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectionLabel, connectionTarget } from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { HOME_CONNECTION, isConnectionId } from '../../shared/model/transport/connection-id.ts';
import { diskFull, isOutOfSpace } from '../engine/files/file-system-space.ts';
import { replaceFile } from '../engine/files/replace-file.ts';
import { sidecarFile } from '../engine/files/sidecar-files.ts';

const VERSION = 1;

const storedConnection = connectionLabel.extend({
  id: z.string().refine(id => isConnectionId(id) && id !== HOME_CONNECTION),
  target: connectionTarget,
  /** True if the user closed it: it is not opened with the host. */
  closed: z.boolean(),
  /** True if a caller from the network chose the server [P1]. */
  confined: z.boolean().default(false),
});
const storedList = z.object({
  version: z.literal(VERSION),
  /** Null: the user has not changed the home store's label. */
  home: connectionLabel.nullable(),
  others: z.array(storedConnection),
});

export type StoredConnectionList = Omit<z.infer<typeof storedList>, 'version'>;

/** Returns the path of the list, beside the home store: two Sandglass processes with two home stores have two lists. */
export function connectionListFile(homeFile: string): string {
  return sidecarFile(homeFile, '-connections');
}

/** Returns the content of the file; null if there is no file. Throws CONNECTIONS_UNREADABLE. */
export function connectionListText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

/** Parses `text`, the content of `file`. Throws CONNECTIONS_UNREADABLE if it is invalid or of a later version. */
export function readConnectionList(file: string, text: string | null): StoredConnectionList {
  if (text === null) return { home: null, others: [] };
  const version = z.object({ version: z.number() }).safeParse(parse(text)).data?.version;
  if (version !== undefined && version > VERSION)
    throw unreadable(file, 'it was written by a later version of Sandglass');
  const read = storedList.safeParse(parse(text));
  if (!read.success) throw unreadable(file, 'it is not in the format that Sandglass writes');
  return { home: read.data.home, others: read.data.others };
}

/** Replaces the file atomically, readable by its owner only (0600). Returns its new content. */
export function writeConnectionList(file: string, list: StoredConnectionList): string {
  const content = { version: VERSION, ...list } satisfies z.infer<typeof storedList>;
  const text = `${JSON.stringify(content, null, 2)}\n`;
  try {
    replaceFile(file, text);
    return text;
  } catch (error) {
    if (isOutOfSpace(error, file)) throw diskFull(file, Buffer.byteLength(text));
    throw new SandglassError(
      'CONNECTIONS_UNREADABLE',
      `The list of connections cannot be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
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

function unreadable(file: string, reason: string): SandglassError {
  return new SandglassError(
    'CONNECTIONS_UNREADABLE',
    `The list of connections in ${file} cannot be read: ${reason}. It is left unchanged, and only the home store is open. Repair the file or move it away, then restart Sandglass.`,
    { file },
  );
}
