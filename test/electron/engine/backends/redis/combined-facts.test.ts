import { expect, it } from 'vitest';
import { combinedFacts } from '../../../../../electron/engine/backends/redis/server/combined-facts.ts';
import type { Fact, ServerFacts } from '../../../../../electron/engine/backends/redis/server/server-facts.ts';

const known = <Value>(value: Value): Fact<Value> => ({ is: 'known', value });
const master = (facts: Partial<ServerFacts>): ServerFacts => ({
  identity: known({ version: '7', runId: 'a', role: 'master', source: '', mode: 'cluster', name: 'redis' }),
  databases: known([]),
  notifyFlags: known('KEA'),
  maxMemory: known(100),
  maxMemoryPolicy: known('noeviction'),
  activeExpireEffort: known(1),
  databaseCount: known(16),
  usedMemory: known(10),
  evictedKeys: known(0),
  ...facts,
});

it('the facts of masters are those of one server: sums, common notifications, the fullest memory', () => {
  const one = master({
    databases: known([{ database: 0, keys: 5, withDeadline: 2 }]),
    notifyFlags: known('KEAn'),
    evictedKeys: known(3),
  });
  const other = master({
    databases: known([{ database: 0, keys: 7, withDeadline: 7 }]),
    usedMemory: known(90),
    maxMemoryPolicy: known('volatile-lru'),
    activeExpireEffort: known(4),
  });
  expect(combinedFacts([one, other])).toEqual({
    ...one,
    databases: known([{ database: 0, keys: 12, withDeadline: 9 }]),
    notifyFlags: known('KEA'),
    maxMemory: known(100),
    usedMemory: known(90),
    maxMemoryPolicy: known('volatile-lru'),
    activeExpireEffort: known(4),
    evictedKeys: known(3),
  });
});

it('a fact that one master refuses is refused', () => {
  const refused = { is: 'refused', reason: 'NOPERM' } as const;
  expect(combinedFacts([master({}), master({ notifyFlags: refused })]).notifyFlags).toEqual(refused);
});
