import { textOfBytes } from '../../../deadline-mirror/bytes-text.ts';
import { LONGEST_KEY_BYTES } from '../../../deadline-mirror/key-id.ts';

/**
 * Collection of the keys directly in the folder that all keys share.
 * @internal
 */
export const NO_PREFIX = '(no prefix)';

const SEPARATOR = 0x2f;

/**
 * Returns the collection of a key: the folder that all keys share and the next part of its path. Of `/registry/pods/a`
 * and `/registry/nodes/b`, the shared folder is `/registry/` and the collections are `/registry/pods` and
 * `/registry/nodes`.
 */
export function collectionOf(key: Buffer, sharedFolder: Buffer): string {
  const isShared = key.subarray(0, sharedFolder.length).equals(sharedFolder);
  // A separator at the beginning of the key is not the end of a part.
  const at = key.indexOf(SEPARATOR, isShared ? Math.max(1, sharedFolder.length) : 1);
  return at <= 0 || at > LONGEST_KEY_BYTES ? NO_PREFIX : textOfBytes(key.subarray(0, at));
}

/** Largest number of parts in a shared folder. */
const DEEPEST = 8;

/**
 * Returns the folder that all keys share, ending with `/`; empty if there is none. `hasKey` returns whether a key
 * exists in `[from, end)`; `first` is the first key. Since keys are sorted, one call of `hasKey` per level is enough,
 * whatever the number of keys.
 */
export async function findSharedFolder(
  first: Buffer,
  prefix: Buffer,
  hasKey: (from: Buffer, end: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let folder = Buffer.alloc(0);
  for (let level = 0; level < DEEPEST; level++) {
    const at = first.indexOf(SEPARATOR, folder.length === 0 ? 1 : folder.length);
    if (at < 0) return folder;
    const next = first.subarray(0, at + 1);
    // The folder of a key itself is not shared: every key would be a collection of its own.
    if (first.indexOf(SEPARATOR, at + 1) < 0) return folder;
    if (await hasKey(endOfPrefix(next), endOfPrefix(prefix))) return folder;
    folder = Buffer.from(next);
  }
  return folder;
}

/** Returns the first key after all keys with the prefix; a single zero byte stands for the end of all keys. */
export function endOfPrefix(prefix: Buffer): Buffer {
  for (let last = prefix.length - 1; last >= 0; last--) {
    const byte = prefix[last] ?? 0xff;
    if (byte === 0xff) continue;
    return Buffer.concat([prefix.subarray(0, last), Buffer.from([byte + 1])]);
  }
  return ZERO;
}

const ZERO = Buffer.from([0]);

/** Returns the first key that may begin with the prefix. */
export function startOfPrefix(prefix: Buffer): Buffer {
  return prefix.length === 0 ? ZERO : prefix;
}
