const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first signal that asks to stop. At a second one the process ends at once: whoever asks twice does
 * not want to wait for the store to close, and it is safe not to.
 */
export function stopAsked(): Promise<void> {
  return new Promise(resolve => {
    let asked = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
}
