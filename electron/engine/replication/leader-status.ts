import { SandglassError } from '../../../shared/model/errors.ts';

/** The leader of a mirror, for the API [V5]. */
export interface LeaderStatus {
  readonly status: {
    readonly url: string;
    /** The leader's time when the mirror was last up to date; null: it is up to date. */
    readonly staleSince: number | null;
    readonly behind: number;
    readonly problem: string | null;
    /** The last failed replay, after which the mirror was copied again; `at` by this machine's clock. */
    readonly failedReplay: { readonly at: number; readonly reason: string } | null;
  };
  readonly isStale: boolean;
  /** Calls `listener` when the mirror becomes stale, until the returned function is called. */
  onStale(listener: () => void): () => void;
}

/** Domains of this host and not of the mirrored store. */
const OWN = new Set(['tokens', 'jobs', 'connections']);

/**
 * Answers a call on a mirror [V5]. Throws READ_ONLY for a call that writes to the mirrored store. Throws STALE for
 * reads and watches while the leader is silent or the mirror is not up to date, also if that begins during the call.
 * `encodeError` maps an error that ends a stream to the error that its reader receives.
 */
export async function answerAsMirror<Answer extends { output: unknown }>(
  { leaderStatus, path, writes }: { leaderStatus: LeaderStatus; path: readonly string[]; writes: boolean },
  call: () => Promise<Answer>,
  encodeError: (error: SandglassError) => Error,
): Promise<Answer> {
  const [domain = ''] = path;
  if (OWN.has(domain)) return call();
  if (writes) throw readOnly(leaderStatus);
  if (path.join('.') === 'store.info') return call();
  if (leaderStatus.isStale) throw stale(leaderStatus);
  const silence = silenceOf(leaderStatus);
  try {
    const answer = await Promise.race([call(), silence.rejects]);
    if (!isStream(answer.output)) return answer;
    return { ...answer, output: untilStale(answer.output, leaderStatus, encodeError) };
  } finally {
    silence.dispose();
  }
}

/** Yields the items of a stream until the mirror becomes stale, even if the next item never arrives. */
async function* untilStale(
  items: AsyncIterable<unknown>,
  leaderStatus: LeaderStatus,
  encodeError: (error: SandglassError) => Error,
): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  const silence = silenceOf(leaderStatus, encodeError);
  try {
    // The first item is read after the stream was answered: the mirror may have become stale in between.
    if (leaderStatus.isStale) throw encodeError(stale(leaderStatus));
    for (;;) {
      const next = await Promise.race([iterator.next(), silence.rejects]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    silence.dispose();
    // A pending read delays the end of the iterator; nothing waits for it.
    iterator.return?.().catch(() => {});
  }
}

/** Rejects with STALE when the mirror becomes stale. */
function silenceOf(
  leaderStatus: LeaderStatus,
  encodeError: (error: SandglassError) => Error = error => error,
): { rejects: Promise<never>; dispose(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // If the other promise of the race is first, the rejection is unused.
  promise.catch(() => {});
  return { rejects: promise, dispose: leaderStatus.onStale(() => reject(encodeError(stale(leaderStatus)))) };
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

function readOnly({ status: { url } }: LeaderStatus): SandglassError {
  return new SandglassError(
    'READ_ONLY',
    `This store mirrors the one at ${url} and accepts no changes. Change the leader; the mirror follows.`,
    { leader: url },
  );
}

function stale({ status: { url, staleSince, behind, problem } }: LeaderStatus): SandglassError {
  const why =
    problem ?? (behind > 0 ? `It is still ${behind} revisions behind.` : 'The leader does not answer.');
  return new SandglassError('STALE', `This store mirrors the one at ${url} and is not up to date. ${why}`, {
    leader: url,
    staleSince,
    behind,
  });
}
