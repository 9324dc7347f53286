import { expect, it } from 'vitest';
import { Random } from '../../../support/random.ts';
import { type DocumentAction, type DocumentOperation, documentModel, type Seen } from './document-model.ts';
import { type Call, linearize } from './linearizable.ts';

type DocumentCall = Call<DocumentOperation>;

/** A call of a host whose clock is not moved. */
function call(from: number, to: number, action: DocumentAction): DocumentCall {
  const operation = { action, from, to, actedTo: to, eras: { first: 0, last: 0 } };
  return { calledAt: from, returnedAt: to, operation };
}
const model = documentModel(() => Number.NEGATIVE_INFINITY);
const put = (value: number, answer: 'inserted' | 'updated' | 'unknown', field: number | null = null) =>
  ({ is: 'write', value, field, answer, isInsert: false }) as const;
const saw = (value: number, deadlineAt: number | null = null, isHidden = false): DocumentAction => ({
  is: 'read',
  includesExpired: isHidden,
  seen: { value, deadlineAt, isHidden },
});
const sawNothing: DocumentAction = { is: 'read', includesExpired: false, seen: null };

const verdict = (...calls: DocumentCall[]) => linearize(model, calls).is;

it('accepts concurrent calls in the one order that explains them, and refuses a stale read', () => {
  const first = call(0, 10, put(1, 'inserted'));
  const second = call(5, 30, put(2, 'updated'));
  expect(verdict(first, second, call(12, 14, saw(1)), call(15, 16, saw(2)))).toBe('linearizable');
  // The second write had been seen, and then was not.
  expect(verdict(first, second, call(12, 14, saw(2)), call(15, 16, saw(1)))).toBe('not linearizable');
  // The second write had ended.
  expect(verdict(first, second, call(31, 32, saw(1)))).toBe('not linearizable');
});

it('accepts a write without an answer as done or not, and refuses one that is undone', () => {
  const first = call(0, 10, put(1, 'inserted'));
  const lost = call(20, 100, put(2, 'unknown'));
  expect(verdict(first, lost, call(30, 31, saw(1)), call(40, 41, saw(2)))).toBe('linearizable');
  expect(verdict(first, lost, call(110, 111, saw(1)))).toBe('linearizable');
  expect(verdict(first, lost, call(30, 31, saw(2)), call(40, 41, saw(1)))).toBe('not linearizable');
  // It can take effect no more after its server had ended.
  expect(verdict(first, lost, call(110, 111, saw(1)), call(120, 121, saw(2)))).toBe('not linearizable');
});

it('refuses a lost acknowledged write, a document that returns after its removal, and two inserts of one', () => {
  const first = call(0, 10, put(1, 'inserted'));
  expect(verdict(first, call(20, 21, sawNothing))).toBe('not linearizable');
  const deleted = call(20, 21, { is: 'delete', answer: 'done' });
  expect(verdict(first, deleted, call(22, 23, sawNothing))).toBe('linearizable');
  expect(verdict(first, deleted, call(22, 23, saw(1)))).toBe('not linearizable');
  expect(verdict(first, call(0, 10, put(2, 'inserted')))).toBe('not linearizable');
});

it('[V1] refuses a read that shows a document past its deadline, hides it before, or shows it again', () => {
  const first = call(0, 10, put(1, 'inserted', 100));
  expect(verdict(first, call(98, 102, saw(1, 100)), call(99, 103, sawNothing))).toBe('linearizable');
  expect(verdict(first, call(100, 102, saw(1, 100)))).toBe('not linearizable');
  expect(verdict(first, call(90, 99, sawNothing))).toBe('not linearizable');
  expect(verdict(first, call(98, 101, sawNothing), call(99, 103, saw(1, 100)))).toBe('linearizable');
  expect(verdict(first, call(97, 100, sawNothing), call(101, 103, saw(1, 100)))).toBe('not linearizable');
  expect(verdict(first, call(101, 103, saw(1, 100, true)), call(104, 105, sawNothing))).toBe('linearizable');
  expect(verdict(first, call(20, 21, saw(1, 99)))).toBe('not linearizable');
});

it('[C3, E1] an explicit expiration outranks the field, stays with a write, and keeps a hidden document', () => {
  const expire = (from: number, at: number) =>
    call(from, from + 1, { is: 'expire', explicit: { from: at, to: at }, action: null, answer: 'done' });
  const first = call(0, 1, put(1, 'inserted', 50));
  expect(verdict(first, expire(10, 80), call(60, 61, saw(1, 80)))).toBe('linearizable');
  expect(verdict(first, expire(10, 80), call(60, 61, saw(1, 50)))).toBe('not linearizable');
  const again = call(20, 21, put(2, 'updated', 30));
  expect(verdict(first, expire(10, 80), again, call(40, 41, saw(2, 80)))).toBe('linearizable');
  expect(verdict(first, expire(60, 90), call(70, 71, saw(1, 90)))).toBe('linearizable');
  // The holder was hidden, so that the write inserted: the expiration went with it.
  const late = call(85, 86, put(3, 'inserted', null));
  expect(verdict(first, expire(10, 80), late, call(87, 88, saw(3)))).toBe('linearizable');
});

it('gives up at its limit of steps and says so', () => {
  const calls = Array.from({ length: 12 }, (_, i) => call(0, 100, put(i, 'unknown')));
  expect(linearize(model, [...calls, call(110, 111, saw(99))], 1_000).is).toBe('unknown');
});

interface Stored {
  value: number;
  field: number | null;
  isExplicit: boolean;
  at: number | null;
}

/** A history of a document that really was changed at one instant within each call, with a lost answer here and there. */
function history(random: Random, length: number): DocumentCall[] {
  const clients = [0, 0, 0, 0];
  const planned = Array.from({ length }, (_, value) => {
    const client = random.between(0, clients.length - 1);
    const from = (clients[client] ?? 0) + random.between(0, 5);
    const to = from + random.between(1, 25);
    clients[client] = to;
    return { from, to, at: random.between(from, to), value };
  });
  let stored: Stored | null = null;
  return planned
    .sort((a, b) => a.at - b.at)
    .map(({ from, to, at, value }): DocumentCall => {
      if (stored?.at !== null && stored !== null && stored.at <= at && random.chance(0.3)) stored = null;
      const isShown = stored !== null && (stored.at === null || at < stored.at);
      const lost = random.chance(0.05);
      switch (random.pick(['write', 'write', 'insert', 'delete', 'expire', 'read', 'read', 'read'])) {
        case 'write': {
          const field = random.chance(0.6) ? at + random.between(-3, 60) : null;
          const answer = lost ? 'unknown' : isShown ? 'updated' : 'inserted';
          if (!lost || random.chance(0.5)) {
            const kept: Stored | null = isShown && stored?.isExplicit ? stored : null;
            stored = { value, field, isExplicit: kept !== null, at: kept === null ? field : kept.at };
          }
          return call(from, to, { is: 'write', value, field, answer, isInsert: false });
        }
        case 'insert': {
          if (!isShown) stored = { value, field: null, isExplicit: false, at: null };
          const answer = isShown ? 'exists' : 'inserted';
          return call(from, to, { is: 'write', value, field: null, answer, isInsert: true });
        }
        case 'delete': {
          const answer = stored === null ? 'missing' : 'done';
          stored = null;
          return call(from, to, { is: 'delete', answer });
        }
        case 'expire': {
          const until = random.chance(0.3) ? null : at + random.between(1, 60);
          if (stored !== null) stored = { ...stored, isExplicit: true, at: until };
          const explicit = until === null ? 'never' : { from: until, to: until };
          return call(from, to, {
            is: 'expire',
            explicit,
            action: null,
            answer: stored === null ? 'missing' : 'done',
          });
        }
        default: {
          const includesExpired = random.chance(0.5);
          const isSeen = stored !== null && (isShown || includesExpired);
          const seen: Seen | null =
            isSeen && stored !== null
              ? { value: stored.value, deadlineAt: stored.at, isHidden: !isShown }
              : null;
          return call(from, to, { is: 'read', includesExpired, seen });
        }
      }
    });
}

it('accepts what a document did, in 150 histories, and refuses most of them with one answer changed', () => {
  const random = new Random(7);
  let refused = 0;
  let changed = 0;
  for (let i = 0; i < 150; i++) {
    const calls = history(random, 40);
    const { is, stuck } = linearize(model, calls);
    expect(is, JSON.stringify({ calls, stuck })).toBe('linearizable');
    const reads = calls.filter(({ operation: { action } }) => action.is === 'read' && action.seen !== null);
    const values = calls.flatMap(({ operation: { action } }) => (action.is === 'write' ? action.value : []));
    if (reads.length === 0 || values.length === 0) continue;
    const victim = random.pick(reads);
    const { action } = victim.operation;
    if (action.is !== 'read' || action.seen === null) continue;
    const seen = { ...action.seen, value: random.pick(values) };
    if (seen.value === action.seen.value) continue;
    changed += 1;
    const stale = calls.map(one =>
      one === victim ? { ...one, operation: { ...one.operation, action: { ...action, seen } } } : one,
    );
    if (linearize(model, stale).is === 'not linearizable') refused += 1;
  }
  expect(changed).toBeGreaterThan(80);
  // A value of a concurrent write may be right as well.
  expect(refused / changed).toBeGreaterThan(0.8);
});

it('accepts a document that its expiration has patched from its deadline on, and refuses one that is patched before', () => {
  const first = call(0, 10, put(1, 'inserted'));
  const set = call(20, 21, {
    is: 'expire',
    explicit: { from: 100, to: 100 },
    action: { value: 2 },
    answer: 'done',
  });
  expect(verdict(first, set, call(150, 151, saw(1, 100)), call(160, 161, saw(2)))).toBe('linearizable');
  expect(verdict(first, set, call(90, 91, saw(2)))).toBe('not linearizable');
  // It is changed once, and never hidden.
  expect(verdict(first, set, call(150, 151, saw(2)), call(160, 161, saw(1, 100)))).toBe('not linearizable');
  expect(verdict(first, set, call(150, 151, sawNothing))).toBe('not linearizable');
});

it('accepts a restored version of a document, pinned, and refuses one that nobody wrote', () => {
  const first = call(0, 10, put(1, 'inserted'));
  const deleted = call(20, 21, { is: 'delete', answer: 'done' });
  const restored = call(30, 40, { is: 'restore', versions: [{ value: 1, field: null }], answer: 'tried' });
  expect(verdict(first, deleted, restored, call(50, 51, saw(1)))).toBe('linearizable');
  expect(verdict(first, deleted, restored, call(50, 51, sawNothing))).toBe('linearizable');
  expect(verdict(first, deleted, restored, call(50, 51, saw(2)))).toBe('not linearizable');
  expect(verdict(first, deleted, call(25, 26, saw(1)), restored)).toBe('not linearizable');
});
