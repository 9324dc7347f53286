import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { etcdRefusal, serverUnreachable } from '../connection/etcd-failure.ts';
import { type WatchMessage, watchMessage } from '../connection/replies.ts';
import { endOfPrefix, startOfPrefix } from '../keys/grouping.ts';

export interface KeyWatchOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly prefix: Buffer;
  readonly signal: AbortSignal;
  /** Revision after which events are wanted; read again each time that the watch is opened. */
  after(): number;
  onMessage(message: WatchMessage): Promise<void>;
}

/** Node's fetch ends an answer in which nothing arrives for 300 s. */
const REOPEN_MS = 240_000;
/** gRPC's codes of the reasons for which a watch is cancelled. */
const PERMISSION_DENIED = 7;
const OUT_OF_RANGE = 11;

/**
 * Watches all keys until the signal aborts. Throws SERVER_UNREACHABLE when the stream ends, REVISION_COMPACTED if the
 * events after the revision are no longer kept, and PERMISSION_DENIED.
 */
export async function watchKeys({
  client,
  clock,
  prefix,
  signal,
  after,
  onMessage,
}: KeyWatchOptions): Promise<void> {
  while (!signal.aborted) {
    const reopen = new AbortController();
    const cancel = clock.setTimer(REOPEN_MS, () => reopen.abort());
    const request = {
      key: startOfPrefix(prefix).toString('base64'),
      range_end: endOfPrefix(prefix).toString('base64'),
      start_revision: String(after() + 1),
    };
    try {
      await client.stream('watch', { create_request: request }, watchMessage, {
        signal: AbortSignal.any([signal, reopen.signal]),
        onMessage: async ({ result }) => {
          if (result.canceled) throw cancellation(result);
          await onMessage(result);
        },
      });
      throw serverUnreachable('it ended the watch');
    } catch (error) {
      if (!reopen.signal.aborted) throw error;
    } finally {
      cancel();
    }
  }
}

function cancellation({ compact_revision, cancel_reason }: WatchMessage): Error {
  if (compact_revision > 0) {
    return etcdRefusal(200, { code: OUT_OF_RANGE, message: `compacted up to revision ${compact_revision}` });
  }
  return /permission ?denied/i.test(cancel_reason)
    ? etcdRefusal(200, { code: PERMISSION_DENIED, message: cancel_reason })
    : serverUnreachable(cancel_reason === '' ? 'it cancelled the watch' : cancel_reason);
}
