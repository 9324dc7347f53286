import type { DocumentRecord, WaitsFor } from '../../../../shared/contract/documents.ts';

const LABELS: Readonly<Record<WaitsFor, string>> = {
  reaper: 'waits for the reaper',
  schedule: 'waits for its schedule',
  limit: 'waits: rate limit',
  hold: 'waits: held until confirmed',
  'paused store': 'waits: store paused',
  'paused collection': 'waits: collection paused',
  'paused index': 'waits: index paused',
  'index build': 'waits: index build',
  quarantine: 'quarantined: its action left it due',
};

/** Returns what keeps an overdue document from being removed [X1]; null: it is not due. */
export function formatWait({ state, waitsFor }: DocumentRecord): string | null {
  if (state === 'quarantined') return LABELS.quarantine;
  return waitsFor === undefined ? null : LABELS[waitsFor];
}
