import { describe, expect, it } from 'vitest';
import { ChangedKeys } from '../../../../../electron/engine/backends/redis/follow/changed-keys.ts';
import { meaningOf } from '../../../../../electron/engine/backends/redis/follow/key-events.ts';

const key = Buffer.from('k');

describe('keys that changed', () => {
  it('are read once after any number of changes', () => {
    const changed = new ChangedKeys();
    for (let i = 0; i < 5; i++) changed.add('k', key);
    expect([...changed.take(10).keys()]).toEqual(['k']);
    expect(changed.size).toBe(0);
  });

  it('are refused beyond 50,000 queued keys, except those that are already queued', () => {
    const changed = new ChangedKeys();
    for (let i = 0; i < 50_000; i++) expect(changed.add(`k${i}`, key)).toBe(true);
    expect(changed.add('one more', key)).toBe(false);
    expect(changed.add('k1', key)).toBe(true);
  });

  it('are not read once they are removed; no lag is measured, since their mirrored deadline is outdated', () => {
    const changed = new ChangedKeys();
    expect(changed.gone('untouched')).toBe(true);
    changed.add('waiting', key);
    expect(changed.gone('waiting')).toBe(false);
    expect(changed.size).toBe(0);
    changed.add('being read', key);
    const taken = changed.take(1);
    expect(changed.gone('being read')).toBe(false);
    changed.done(taken.keys());
    expect(changed.gone('being read')).toBe(true);
  });

  it('are collected by a watch, with removed keys, until it ends', () => {
    const changed = new ChangedKeys();
    const watch = changed.watch();
    changed.add('a', key);
    changed.gone('b');
    changed.unwatch(watch);
    changed.add('c', key);
    expect([...watch]).toEqual(['a', 'b']);
  });
});

it.each([
  ['expired', { is: 'gone', cause: 'expired' }],
  ['evicted', { is: 'gone', cause: 'evicted' }],
  ['del', { is: 'gone', cause: 'deleted' }],
  ['rename_from', { is: 'gone', cause: 'deleted' }],
  ['set', { is: 'changed' }],
  ['rename_to', { is: 'changed' }],
  ['sunionstore', { is: 'changed' }],
  ['an event of a later version', { is: 'changed' }],
  ['lpush', { is: 'touched' }],
  ['hset', { is: 'touched' }],
])('the event %s means %o', (event, meaning) => {
  expect(meaningOf(event)).toEqual(meaning);
});
