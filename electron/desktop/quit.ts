import { app } from 'electron';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

/**
 * A store closes in milliseconds. After this limit the process quits anyway, which is safe, since the store recovers.
 */
const CLOSE_WITHIN_MS = 8_000;

interface CloseSteps {
  /** Closes all windows, whose `window-all-closed` quits again. Returns whether any was open. */
  closeWindows(): boolean;
  close(): Promise<void>;
}

/**
 * Delays quitting until all windows are closed and `close` has finished. A window that the user keeps because of
 * unsaved changes ends the quitting. Ending the process under a running thread has crashed Electron.
 */
export function closeBeforeQuitting({ closeWindows, close }: CloseSteps, clock: Clock, log: Logger): void {
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('before-quit', event => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing' || closeWindows()) return;
    state = 'closing';
    void closeInTime(close, clock, log).then(() => {
      state = 'closed';
      app.quit();
    });
  });
}

async function closeInTime(close: () => Promise<void>, clock: Clock, log: Logger): Promise<void> {
  const limit = new AbortController();
  const late = clock.sleep(CLOSE_WITHIN_MS, limit.signal).then(() => {
    if (!limit.signal.aborted) log.error('closing took too long; quitting anyway', { ms: CLOSE_WITHIN_MS });
  });
  const closed = close().catch((error: unknown) => log.error('closing failed', errorFields(error)));
  await Promise.race([closed, late]);
  limit.abort();
}
