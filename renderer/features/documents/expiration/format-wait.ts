import type { DocumentRecord, WaitsFor } from '../../../../shared/contract/documents.ts';

const WORDS: Readonly<Record<WaitsFor, string>> = {
  reaper: 'waits for the reaper',
  schedule: 'waits for its schedule',
  limit: 'waits: no faster than its limit',
  hold: 'waits: held until confirmed',
  'paused store': 'waits: store paused',
  'paused collection': 'waits: collection paused',
  'paused index': 'waits: index paused',
  'index build': 'waits: index being built anew',
  quarantine: 'quarantined: its action did not get it out of the way',
};

/** What a document past its deadline waits for [X1], in a few words; null while it is not due. */
export function waitsFor({ state, waitsFor: what }: DocumentRecord): string | null {
  if (state === 'quarantined') return WORDS.quarantine;
  return what === undefined ? null : WORDS[what];
}
