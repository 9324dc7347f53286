import type { Alert } from '../../../shared/contract/alerts.ts';

export interface AlertChange {
  readonly event: 'began' | 'ended';
  readonly alert: Alert;
}

/** Turns lists of active alerts into changes: each alert is reported once when it begins and once when it ends. */
export class AlertChanges {
  readonly #told: Map<string, Alert>;

  /** `told`: alerts that were reported as beginning before the store was opened, and not as ended. */
  constructor(told: readonly Alert[] = []) {
    this.#told = new Map(told.map(alert => [alert.id, alert]));
  }

  /** Returns the changes since the last call, ends first. */
  take(active: readonly Alert[]): AlertChange[] {
    const now = new Map(active.map(alert => [alert.id, alert]));
    const ended = [...this.#told.values()].filter(({ id }) => !now.has(id));
    const began = [...now.values()].filter(({ id }) => !this.#told.has(id));
    for (const { id } of ended) this.#told.delete(id);
    for (const alert of began) this.#told.set(alert.id, alert);
    return [
      ...ended.map(alert => ({ event: 'ended', alert }) as const),
      ...began.map(alert => ({ event: 'began', alert }) as const),
    ];
  }

  /** Forgets reported alerts: active ones are reported as beginning again. */
  clear(): void {
    this.#told.clear();
  }
}
