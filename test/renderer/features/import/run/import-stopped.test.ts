import { expect, it } from 'vitest';
import { NotConnected } from '../../../../../renderer/api/not-connected.ts';
import {
  formatStopReason,
  stoppedToast,
} from '../../../../../renderer/features/import/run/import-stopped.ts';

it('an import stopped by a change of connections names that as the reason, not the engine', () => {
  expect(formatStopReason(new NotConnected('no answer'))).toBe('The engine stopped during the import.');
  expect(formatStopReason(new NotConnected('connection changed'))).toMatch(/changed connections/);
  expect(formatStopReason(new Error('The disk is full.'))).toBe('The disk is full.');
});

it('a message about a stopped import has the reason and the remedy', () => {
  const end = { is: 'failed', job: null, what: 'This.', todo: 'That.', code: 'NOT_CONNECTED' } as const;
  expect(stoppedToast('a.csv', end)).toMatchObject({
    title: 'The import of a.csv stopped',
    detail: 'This. That.',
  });
  expect(stoppedToast('a.csv', { is: 'declined' })).toBeNull();
});
