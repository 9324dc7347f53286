import type { Alert } from '../../../shared/contract/alerts.ts';

export interface AlertChange {
  readonly event: 'began' | 'ended';
  readonly alert: Alert;
}

/** Turns lists of active alerts into changes: each alert is reported once when it begins and once when it ends. */
export class AlertChanges {
  readonly #reported: Map<string, Alert>;

  /** `reported`: alerts that were reported as beginning before the store was opened, and not as ended. */
  constructor(reported: readonly Alert[] = []) {
    this.#reported = new Map(reported.map(alert => [alert.id, alert]));
  }

  /** Returns the changes since the last call, ends first. */
  take(active: readonly Alert[]): AlertChange[] {
    const now = new Map(active.map(alert => [alert.id, alert]));
    const ended = [...this.#reported.values()].filter(({ id }) => !now.has(id));
    const began = [...now.values()].filter(({ id }) => !this.#reported.has(id));
    for (const { id } of ended) this.#reported.delete(id);
    for (const alert of began) this.#reported.set(alert.id, alert);
    return [
      ...ended.map(alert => ({ event: 'ended', alert }) as const),
      ...began.map(alert => ({ event: 'began', alert }) as const),
    ];
  }

  /** Clears the reported alerts: active ones are reported as beginning again. */
  clear(): void {
    this.#reported.clear();
  }
}
