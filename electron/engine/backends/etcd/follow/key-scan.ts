import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import type { KeyValue } from '../connection/replies.ts';
import { endOfPrefix, findSharedFolder, startOfPrefix } from '../keys/grouping.ts';
import { keyAfter, readKeys } from '../keys/key-range.ts';

/**
 * Keys of one request. For each page, a server before etcd 3.5 visits all remaining keys, so small pages of many keys
 * cost more than large ones.
 */
const PAGE = 5_000;

export interface KeyScanOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly prefix: Buffer;
  readonly signal: AbortSignal;
  /** Called once, before the first page, with the folder that all keys share. */
  onFolder(folder: Buffer): void;
  onPage(keys: readonly KeyValue[], progress: { done: number; total: number }): Promise<void>;
}

/**
 * Reads all keys, without values, as of one revision, and returns that revision. Pauses after each page for as long as
 * the page took. Throws CANCELLED if the signal aborts, REVISION_COMPACTED.
 */
export async function scanKeys(options: KeyScanOptions): Promise<number> {
  const { client, clock, prefix, signal, onFolder, onPage } = options;
  const end = endOfPrefix(prefix);
  let from = startOfPrefix(prefix);
  let revision: number | null = null;
  let done = 0;
  for (;;) {
    const startedAt = clock.elapsed();
    const page = await readKeys(client, { from, end, revision, limit: PAGE });
    if (revision === null) {
      revision = page.revision;
      onFolder(await sharedFolder(options, page.keys, revision));
    }
    done += page.keys.length;
    await onPage(page.keys, { done, total: done - page.keys.length + page.count });
    const last = page.keys.at(-1);
    if (last === undefined || !page.hasMore) return revision;
    from = keyAfter(last.key);
    await clock.sleep(clock.elapsed() - startedAt, signal);
    if (signal.aborted) throw new SandglassError('CANCELLED', 'The scan of the keys was cancelled.');
  }
}

async function sharedFolder(
  { client, prefix }: KeyScanOptions,
  [first]: readonly KeyValue[],
  revision: number,
): Promise<Buffer> {
  if (first === undefined) return Buffer.alloc(0);
  return findSharedFolder(first.key, prefix, async (from, end) => {
    const { keys } = await readKeys(client, { from, end, revision, limit: 1 });
    return keys.length > 0;
  });
}
