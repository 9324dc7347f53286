import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State of a TCP connection that both ends hold, in /proc/net/tcp. */
const ESTABLISHED = '01';
/** Columns of a line there. */
const STATE = 3;
const INODE = 9;

/**
 * Counts the open handles of a process (Linux): `connections` that its clients hold too, and all other files, pipes and sockets as
 * `handles`. The number of connections follows how many calls wait at once, so it grows with the load of the machine; a
 * connection that its client has closed and the process has not is a handle.
 */
export function heldHandles(pid: number): { handles: number; connections: number } {
  const established = establishedInodes(pid);
  let [handles, connections] = [0, 0];
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const target = targetOf(`/proc/${pid}/fd/${name}`);
    if (target === null) continue;
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && established.has(inode)) connections += 1;
    else handles += 1;
  }
  return { handles, connections };
}

/** Null: it was closed since the folder was read. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function establishedInodes(pid: number): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap(name => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'));
  const connections = lines.map(line => line.trim().split(/\s+/)).filter(line => line[STATE] === ESTABLISHED);
  return new Set(connections.map(line => line[INODE] ?? ''));
}
