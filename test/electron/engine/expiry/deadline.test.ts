import { describe, expect, it } from 'vitest';
import {
  type Deadline,
  type DeadlineRule,
  deadlineAt,
  deadlineOf,
  type Expiring,
  isDue,
  isHidden,
} from '../../../../electron/engine/expiry/deadline.ts';

/** A rule whose reference time is the document's `name`, if that is a number. */
function ruleOn(name: string, options: Partial<Omit<DeadlineRule, 'read'>> = {}): DeadlineRule {
  return {
    addMs: 10,
    isPaused: false,
    isActing: true,
    hides: true,
    ...options,
    read(document) {
      const at = new Map(Object.entries(document ?? {})).get(name);
      return typeof at === 'number' ? { at } : { reason: 'missing field' };
    },
  };
}

function expiring(value: unknown, options: Partial<Expiring> = {}): Expiring {
  return { value, updatedAt: 0, explicitAt: null, explicitHides: true, ...options };
}

const a = ruleOn('a');
const b = ruleOn('b');
const isOut = (rule: DeadlineRule) => rule === a;

describe('[E1] an explicit expiration', () => {
  const document = { a: 100 };

  it('has precedence over every index', () => {
    expect(deadlineOf(expiring(document, { explicitAt: 900 }), [a])).toEqual({
      kind: 'explicit',
      at: 900,
      hidesAt: 900,
    });
    expect(deadlineOf(expiring(document, { explicitAt: 0 }), [a])).toMatchObject({ kind: 'explicit', at: 0 });
  });

  it('hides nothing if its action keeps the document', () => {
    expect(deadlineOf(expiring(document, { explicitAt: 900, explicitHides: false }), [a])).toMatchObject({
      hidesAt: null,
    });
  });

  it('pins the document if it is -1, as stored', () => {
    expect(deadlineOf(expiring(document, { explicitAt: -1 }), [a])).toEqual({ kind: 'pinned' });
  });
});

describe('[D9] of several indexes', () => {
  it('the earliest deadline counts, of equal ones the first', () => {
    const early = { kind: 'index', rule: a, reference: 100, at: 110, hidesAt: 110 };
    expect(deadlineOf(expiring({ a: 100, b: 200 }), [a, b])).toEqual(early);
    expect(deadlineOf(expiring({ a: 100, b: 200 }), [b, a])).toEqual(early);
    expect(deadlineOf(expiring({ a: 100, b: 100 }), [a, b])).toEqual(early);
  });

  it('one that is not acting, has no date, or has quarantined the document gives none', () => {
    const document = expiring({ a: 100, b: 200 });
    expect(deadlineOf(document, [ruleOn('a', { isActing: false }), b])).toMatchObject({ rule: b });
    expect(deadlineOf(expiring({ b: 200 }), [a, b])).toMatchObject({ rule: b });
    expect(deadlineOf(document, [a, b], isOut)).toMatchObject({ rule: b });
    expect(deadlineOf(document, [a], isOut)).toEqual({ kind: 'none' });
    expect(deadlineOf(document, [])).toEqual({ kind: 'none' });
  });

  it('[R6] a paused one counts only without another', () => {
    const paused = ruleOn('a', { isPaused: true });
    const alsoPaused = ruleOn('b', { isPaused: true });
    const document = expiring({ a: 100, b: 200 });
    expect(deadlineOf(document, [paused, b])).toMatchObject({ rule: b, at: 210, hidesAt: 210 });
    expect(deadlineOf(document, [b, paused])).toMatchObject({ rule: b, at: 210, hidesAt: 210 });
    expect(deadlineOf(document, [alsoPaused, paused])).toMatchObject({ rule: paused, at: 110 });
  });

  it('[V1] the document is hidden from the earliest deadline of those that hide', () => {
    const visible = ruleOn('a', { hides: false });
    const alsoVisible = ruleOn('b', { hides: false });
    const document = expiring({ a: 100, b: 200 });
    expect(deadlineOf(document, [visible, b])).toMatchObject({ rule: visible, at: 110, hidesAt: 210 });
    expect(deadlineOf(document, [b, visible])).toMatchObject({ rule: visible, at: 110, hidesAt: 210 });
    expect(deadlineOf(document, [a, b])).toMatchObject({ hidesAt: 110 });
    expect(deadlineOf(document, [b, a])).toMatchObject({ hidesAt: 110 });
    expect(deadlineOf(document, [visible, alsoVisible])).toMatchObject({ hidesAt: null });
    expect(deadlineOf(document, [a, alsoVisible])).toMatchObject({ at: 110, hidesAt: 110 });
  });
});

describe('at its deadline', () => {
  const explicit: Deadline<string> = { kind: 'explicit', at: 50, hidesAt: 60 };
  const byIndex: Deadline<string> = { kind: 'index', rule: 'r', reference: 1, at: 50, hidesAt: 60 };

  it.each([explicit, byIndex])(
    '[D10] a document is due, and [V1] hidden from its own instant on: %j',
    deadline => {
      expect(deadlineAt(deadline)).toBe(50);
      expect([49, 50, 51].map(now => isDue(deadline, now))).toEqual([false, true, true]);
      expect([59, 60, 61].map(now => isHidden(deadline, now))).toEqual([false, true, true]);
      expect(isHidden({ ...deadline, hidesAt: null }, 99)).toBe(false);
    },
  );

  it.each([{ kind: 'pinned' }, { kind: 'none' }] as const)('one that is %j never is', deadline => {
    expect(deadlineAt(deadline)).toBe(null);
    expect(isDue(deadline, 1e15)).toBe(false);
    expect(isHidden(deadline, 1e15)).toBe(false);
  });
});
