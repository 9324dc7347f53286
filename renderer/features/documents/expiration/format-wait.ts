import { t } from '@lingui/core/macro';
import type { DocumentRecord, WaitsFor } from '../../../../shared/contract/documents.ts';

const LABELS: Readonly<Record<WaitsFor, string>> = {
  reaper: t`waits for the reaper`,
  schedule: t`waits for its schedule`,
  limit: t`waits: rate limit`,
  hold: t`waits: held until confirmed`,
  'paused store': t`waits: store paused`,
  'paused collection': t`waits: collection paused`,
  'paused index': t`waits: index paused`,
  'index build': t`waits: index build`,
  quarantine: t`quarantined: its action left it due`,
};

/** Returns the reason why an overdue document is not removed yet [X1]; null: it is not due. */
export function formatWait({ state, waitsFor }: DocumentRecord): string | null {
  if (state === 'quarantined') return LABELS.quarantine;
  return waitsFor === undefined ? null : LABELS[waitsFor];
}
