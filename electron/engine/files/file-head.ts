import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file, at most `bytes`. */
export function readHead(file: string, bytes: number): Buffer {
  const head = Buffer.alloc(bytes);
  const handle = openSync(file, 'r');
  try {
    return head.subarray(0, readSync(handle, head, 0, bytes, 0));
  } finally {
    closeSync(handle);
  }
}
