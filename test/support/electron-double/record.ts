import type { Worker } from 'node:worker_threads';

export interface DoubleRecord {
  /** Calls of the app to Electron in order: `BrowserWindow`, `Menu.setApplicationMenu`, … with their arguments. */
  readonly calls: { what: string; arguments: unknown[] }[];
  /** Every thread the main process started. */
  readonly workers: Worker[];
}

declare global {
  /** Set in the double's main process; a test reads it by `electronApp.evaluate`. */
  var electronDouble: DoubleRecord;
}

globalThis.electronDouble ??= { calls: [], workers: [] };

export function record(what: string, ...args: unknown[]): void {
  globalThis.electronDouble.calls.push({ what, arguments: args });
}
