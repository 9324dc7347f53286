import { SandglassError } from '../../../shared/model/errors.ts';

/** What the API knows of the leader that the store mirrors [V5]. */
export interface Following {
  readonly status: {
    readonly url: string;
    /** The leader's time when it was last heard; null: it is heard, and all it said is here. */
    readonly staleSince: number | null;
    readonly behind: number;
    readonly problem: string | null;
    /** The last replay that failed, after which the mirror was copied anew; `at` by this machine's clock. */
    readonly failedReplay: { readonly at: number; readonly reason: string } | null;
  };
  readonly isStale: boolean;
  /** Calls `listener` when it becomes stale, until the returned function is called. */
  onStale(listener: () => void): () => void;
}

/** These are of this host and not of the store: who may enter it, what it is busy with, and what it has open. */
const OWN = new Set(['tokens', 'jobs', 'connections']);

/**
 * Lets through what a mirror answers, and no longer than it may [V5]: throws READ_ONLY for whatever would change the
 * mirrored store; and STALE for reads and watches while the leader is silent or not all that it said is here yet, also
 * where that begins while the answer is waited for. `told` puts an error that ends a stream as its reader is told it.
 */
export async function throughMirror<Answer extends { output: unknown }>(
  { following, path, writes }: { following: Following; path: readonly string[]; writes: boolean },
  ask: () => Promise<Answer>,
  told: (error: SandglassError) => Error,
): Promise<Answer> {
  const [domain = ''] = path;
  if (OWN.has(domain)) return ask();
  if (writes) throw readOnly(following);
  if (path.join('.') === 'store.info') return ask();
  if (following.isStale) throw stale(following);
  const silence = silenceOf(following);
  try {
    const answer = await Promise.race([ask(), silence.rejects]);
    if (!isStream(answer.output)) return answer;
    return { ...answer, output: untilStale(answer.output, following, told) };
  } finally {
    silence.forget();
  }
}

/** A stream's items until the leader falls silent, however long the next one would have taken. */
async function* untilStale(
  items: AsyncIterable<unknown>,
  following: Following,
  told: (error: SandglassError) => Error,
): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  const silence = silenceOf(following, told);
  try {
    // The first item is asked for after the stream was answered, and the silence may have begun in between.
    if (following.isStale) throw told(stale(following));
    for (;;) {
      const next = await Promise.race([iterator.next(), silence.rejects]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    silence.forget();
    // It may be waiting for what comes next, and cannot end before that has come; nobody waits for it.
    iterator.return?.().catch(() => {});
  }
}

/** Rejects with STALE when the leader falls silent. */
function silenceOf(
  following: Following,
  told: (error: SandglassError) => Error = error => error,
): { rejects: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // Where what it is raced with comes first, nobody waits for this.
  promise.catch(() => {});
  return { rejects: promise, forget: following.onStale(() => reject(told(stale(following)))) };
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

function readOnly({ status: { url } }: Following): SandglassError {
  return new SandglassError(
    'READ_ONLY',
    `This store mirrors the one at ${url} and takes no changes of its own. Make them there; they arrive here.`,
    { leader: url },
  );
}

function stale({ status: { url, staleSince, behind, problem } }: Following): SandglassError {
  const why =
    problem ?? (behind > 0 ? `It is still ${behind} revisions behind.` : 'It has not been heard lately.');
  return new SandglassError(
    'STALE',
    `This store mirrors the one at ${url} and cannot say what is true there at the moment. ${why}`,
    { leader: url, staleSince, behind },
  );
}
