import { expect, it } from 'vitest';
import { NotConnected } from '../../../../renderer/api/not-connected.ts';
import { howItStopped, whyItStopped } from '../../../../renderer/features/import/import-stopped.ts';

it('an import that ended because the window went elsewhere is not blamed on the engine', () => {
  expect(whyItStopped(new NotConnected('asked'))).toBe('The engine stopped during the import.');
  expect(whyItStopped(new NotConnected('left'))).toMatch(/went to another store/);
  expect(whyItStopped(new Error('The disk is full.'))).toBe('The disk is full.');
});

it('where nothing shows it any more it is told by itself, with what to do', () => {
  const end = { is: 'failed', job: null, what: 'This.', todo: 'That.', code: 'NOT_CONNECTED' } as const;
  expect(howItStopped('a.csv', end)).toMatchObject({
    title: 'The import of a.csv stopped',
    detail: 'This. That.',
  });
  expect(howItStopped('a.csv', { is: 'declined' })).toBeNull();
});
