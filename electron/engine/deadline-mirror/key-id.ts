import { createHash } from 'node:crypto';
import { SandglassError } from '../../../shared/model/errors.ts';
import { bytesOfText, textOfBytes } from './bytes-text.ts';

/** Longer keys are shown by hash, and cannot be read or written by id. */
export const LONGEST_KEY_BYTES = 512;

const HASHED = 'sha256:';

/** Returns the `_id` of a key: its text, `base64:…` if it is not UTF-8, `sha256:…` if it is longer than 512 bytes. */
export function idOfKey(key: Buffer): string {
  return key.length > LONGEST_KEY_BYTES
    ? HASHED + createHash('sha256').update(key).digest('hex')
    : textOfBytes(key);
}

/** Returns whether the id contains the whole key: false for keys of more than 512 bytes. */
export function isWritable(id: string): boolean {
  return !id.startsWith(HASHED);
}

/** Throws BAD_REQUEST if the id is the hash of a long key. */
export function keyOfId(id: string): Buffer {
  if (isWritable(id)) return bytesOfText(id);
  throw new SandglassError(
    'BAD_REQUEST',
    `The key ${id} is longer than ${LONGEST_KEY_BYTES} bytes. It is shown by its hash and can be neither read nor changed here.`,
  );
}
