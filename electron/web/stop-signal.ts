const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C can arrive twice: from the terminal, and forwarded by the launcher. */
const SAME_KEY_MS = 1_000;

/** Resolves with the first signal to stop. A second one ends the process at once, which is safe: the store recovers. */
export function stopSignal(elapsed: () => number): Promise<void> {
  return new Promise(resolve => {
    let receivedAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (receivedAt !== undefined && elapsed() - receivedAt > SAME_KEY_MS) process.exit(1);
        receivedAt ??= elapsed();
        resolve();
      });
    }
  });
}
