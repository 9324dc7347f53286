import { type DatabaseFacts, type Fact, knownValue, type ServerFacts } from './server-facts.ts';

/**
 * Returns the facts of the masters of a deployment as those of one server: keys are added up, notifications are the ones
 * that all of them send, and memory is that of the fullest one. Throws for an empty list.
 */
export function combinedFacts(masters: readonly ServerFacts[]): ServerFacts {
  const [first] = masters;
  if (first === undefined) throw new Error('a deployment has at least one master');
  if (masters.length === 1) return first;
  const fullest = masters.reduce((one, other) => (share(other) > share(one) ? other : one));
  return {
    ...first,
    databases: merged(
      masters.map(({ databases }) => databases),
      lists => [sumOf(lists.flat())],
    ),
    notifyFlags: merged(
      masters.map(({ notifyFlags }) => notifyFlags),
      ([some = '', ...others]) => [...some].filter(flag => others.every(one => one.includes(flag))).join(''),
    ),
    maxMemory: fullest.maxMemory,
    maxMemoryPolicy: fullest.maxMemoryPolicy,
    usedMemory: fullest.usedMemory,
    evictedKeys: merged(
      masters.map(({ evictedKeys }) => evictedKeys),
      counts => counts.reduce((sum, count) => sum + count, 0),
    ),
    activeExpireEffort: merged(
      masters.map(({ activeExpireEffort }) => activeExpireEffort),
      efforts => Math.max(...efforts),
    ),
  };
}

/** A cluster has database 0 only. */
function sumOf(databases: readonly DatabaseFacts[]): DatabaseFacts {
  return databases.reduce(
    (sum, { keys, withDeadline }) => ({
      database: 0,
      keys: sum.keys + keys,
      withDeadline: sum.withDeadline + withDeadline,
    }),
    { database: 0, keys: 0, withDeadline: 0 },
  );
}

function share({ maxMemory, usedMemory }: ServerFacts): number {
  const most = knownValue(maxMemory) ?? 0;
  return most === 0 ? 0 : (knownValue(usedMemory) ?? 0) / most;
}

/** Returns the first refusal if a master refuses the fact. */
function merged<From, To>(facts: readonly Fact<From>[], merge: (values: readonly From[]) => To): Fact<To> {
  const refused = facts.find(fact => fact.is === 'refused');
  if (refused !== undefined) return refused;
  return { is: 'known', value: merge(facts.flatMap(fact => (fact.is === 'known' ? [fact.value] : []))) };
}
