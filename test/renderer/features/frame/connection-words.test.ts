import { expect, it } from 'vitest';
import { connectionWords } from '../../../../renderer/features/frame/connection-words.ts';

it('a refused token is told of the store that refused it', () => {
  expect(connectionWords('token refused', null, true).todo).toContain('Sandglass was started anew');
  // A token opens the store it was made in: another one refuses it, and nothing was started anew.
  const { title, todo } = connectionWords('token refused', null, false);
  expect(title).toBe('This store refused this window’s token.');
  expect(todo).not.toContain('started anew');
  expect(todo).toContain('opens the store it was made in');
});

it('what is shown while the engine is away is said to be old', () => {
  expect(connectionWords('gone', '14:32:38', false).todo).toContain('as of 14:32:38');
  expect(connectionWords('engine stopped', null, true).title).toContain('does not answer');
});
