import { expect, it } from 'vitest';
import { formatLostConnection } from '../../../../../renderer/features/frame/banners/format-lost-connection.ts';

it('a lost connection is shown with the store that refused a token', () => {
  expect(formatLostConnection('token refused', null, true).todo).toContain('Sandglass was restarted');
  // A token is valid for one store: another one refuses it without a restart.
  const { title, todo } = formatLostConnection('token refused', null, false);
  expect(title).toBe('This store refused the token.');
  expect(todo).not.toContain('restarted');
  expect(todo).toContain('valid for the store that issued it');
});

it('stale data is shown with its time', () => {
  expect(formatLostConnection('gone', '14:32:38', false).todo).toContain('as of 14:32:38');
  expect(formatLostConnection('engine stopped', null, true).title).toContain('not connected');
});
