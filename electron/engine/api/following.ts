import type { Permission } from '../../../shared/contract/base.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

/** What the API knows of the leader that the store mirrors [V5]. */
export interface Following {
  readonly status: {
    readonly url: string;
    /** The leader's time when it was last heard; null: it is heard, and all it said is here. */
    readonly staleSince: number | null;
    readonly behind: number;
    readonly problem: string | null;
  };
  readonly isStale: boolean;
  /** Calls `listener` when it becomes stale, until the returned function is called. */
  onStale(listener: () => void): () => void;
}

/** These are of this host and not of the store: who may enter it, what it is busy with, and what state it is in. */
const OWN = new Set(['tokens', 'jobs']);
const ALWAYS_ANSWERED = new Set(['store.info', ...OWN]);

/**
 * Throws READ_ONLY for whatever would change the mirrored store, and STALE for reads and watches while the leader is
 * silent, or not all that it said is here yet [V5].
 */
export function checkMirror(following: Following, path: readonly string[], needed: Permission): void {
  const [domain = ''] = path;
  if (needed !== 'read' && !OWN.has(domain)) throw readOnly(following);
  if (following.isStale && !ALWAYS_ANSWERED.has(domain) && !ALWAYS_ANSWERED.has(path.join('.')))
    throw stale(following);
}

/** A stream's items until the leader falls silent; then it throws STALE, however long the next one would have taken [V5]. */
export async function* untilStale<Item>(
  items: AsyncIterable<Item>,
  following: Following,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const over = Promise.withResolvers<never>();
  // Where the stream ends first, nobody waits for this.
  over.promise.catch(() => {});
  const forget = following.onStale(() => over.reject(stale(following)));
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), over.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    forget();
    // It may be waiting for what comes next, and cannot end before that has come; nobody waits for it.
    iterator.return?.().catch(() => {});
  }
}

function readOnly({ status: { url } }: Following): SandglassError {
  return new SandglassError(
    'READ_ONLY',
    `This store mirrors the one at ${url} and takes no changes of its own. Make them there; they arrive here.`,
    { leader: url },
  );
}

function stale({ status: { url, staleSince, behind, problem } }: Following): SandglassError {
  const why = problem ?? (behind > 0 ? `It is still ${behind} revisions behind.` : 'It is being asked.');
  return new SandglassError(
    'STALE',
    `This store mirrors the one at ${url} and cannot say what is true there at the moment. ${why}`,
    { leader: url, staleSince, behind },
  );
}
