import { expect, it } from 'vitest';
import { answerAsMirror, type LeaderStatus } from '../../../../electron/engine/replication/leader-status.ts';

/** A mirror whose leader is silent after `fallSilent`. */
function mirror(): { leaderStatus: LeaderStatus; fallSilent(): void } {
  const listeners = new Set<() => void>();
  let isStale = false;
  return {
    leaderStatus: {
      status: { url: 'http://leader', staleSince: 1, behind: 0, problem: null, failedReplay: null },
      get isStale() {
        return isStale;
      },
      onStale(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    fallSilent() {
      isStale = true;
      for (const listener of listeners) listener();
    },
  };
}

async function* neverAnything(): AsyncGenerator<string> {
  await new Promise(() => {});
}

it.each(['before its first item is requested', 'while its next item is awaited'])(
  '[V5] a watch ends with STALE if the leader stops answering %s',
  async moment => {
    const { leaderStatus, fallSilent } = mirror();
    const question = { leaderStatus, path: ['events', 'watch'], writes: false } as const;
    const { output } = await answerAsMirror(
      question,
      async () => ({ output: neverAnything() }),
      error => error,
    );
    if (moment.startsWith('before')) fallSilent();
    const first = output.next();
    if (moment.startsWith('while')) setTimeout(fallSilent, 1);
    await expect(first).rejects.toMatchObject({ code: 'STALE' });
  },
  2_000,
);
