const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C can arrive twice: from the terminal, and from a launcher that passes it on. */
const SAME_WISH_MS = 1_000;

/**
 * Resolves at the first signal that asks to stop. When asked again later the process ends at once: whoever asks
 * twice does not want to wait for the store to close, and it is safe not to.
 */
export function stopAsked(elapsed: () => number): Promise<void> {
  return new Promise(resolve => {
    let askedAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (askedAt !== undefined && elapsed() - askedAt > SAME_WISH_MS) process.exit(1);
        askedAt ??= elapsed();
        resolve();
      });
    }
  });
}
