import { z } from 'zod';
import { textOfBytes } from '../../../deadline-mirror/bytes-text.ts';

const key = z.string().transform(text => Buffer.from(text, 'base64'));
const range = z.object({ key, range_end: key.optional() });
const txn = z.object({ compare: z.array(range).min(1) });
const watch = z.object({ create_request: range });

/** Returns the permission of etcd's roles that a call needs, as a part of a sentence. */
export function neededPermission(path: string, body: object): string {
  if (path === 'watch') {
    const read = watch.safeParse(body);
    return read.success ? `permission to read ${keysOf(read.data.create_request)}` : OF_ROOT;
  }
  if (path === 'kv/txn') {
    const read = txn.safeParse(body);
    const [first] = read.success ? read.data.compare : [];
    return first === undefined ? OF_ROOT : `permission to read and write ${keysOf(first)}`;
  }
  if (path.startsWith('lease/')) return 'permission to write every key of the lease';
  const read = range.safeParse(body);
  if (!path.startsWith('kv/') || !read.success) return OF_ROOT;
  return `permission to ${path === 'kv/range' ? 'read' : 'write'} ${keysOf(read.data)}`;
}

const OF_ROOT = 'the role root';
const ALL = '\0';

function keysOf({ key: from, range_end: end }: z.output<typeof range>): string {
  const text = textOfBytes(from);
  if (end === undefined || end.length === 0) return `the key ${text}`;
  return text === ALL ? 'all keys' : `the keys from ${text} on`;
}
