import { t } from '@lingui/core/macro';
import {
  type ConnectionList,
  connectionList,
  exportConnections,
} from '../../../shared/contract/files/connection-list.ts';
import { connectionsClient } from '../../api.ts';
import { chooseFile } from '../../components/choose-file.ts';
import { openFileSink } from '../../components/file-sink.ts';

/** A list of connections from a file that a person opened. */
export interface OpenedList {
  readonly file: string;
  readonly list: ConnectionList;
}

const MOST_BYTES = 1024 * 1024;

/** Writes the connections beside home, without secrets. Must be called in a click handler. */
export async function saveConnections(): Promise<void> {
  const sink = await openFileSink('sandglass-connections.json', 'application/json');
  if (sink === null) return;
  try {
    const list = exportConnections(await connectionsClient().list());
    await sink.write(`${JSON.stringify(list, null, 2)}\n`);
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Opens an exported list. Null: cancelled. Throws a message for a person if the file is not one. */
export async function openConnectionList(): Promise<OpenedList | null> {
  const file = await chooseFile('.json,application/json');
  if (file === null) return null;
  const list = file.size > MOST_BYTES ? null : parseList(await file.text());
  if (list === null) throw new Error(t`${file.name} is not an exported list of connections.`);
  return { file: file.name, list };
}

/** Returns null if the text is something else. */
function parseList(text: string): ConnectionList | null {
  try {
    return connectionList.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
