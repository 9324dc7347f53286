import { describe, expect, it } from 'vitest';
import { prepareAction, progressProblem } from '../../../../electron/engine/expiry/action.ts';
import { checkAction } from '../../../../electron/engine/expiry/action-check.ts';
import type { DeadlineRule } from '../../../../electron/engine/expiry/deadline.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../../shared/model/names.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { MINUTE, NOON } from '../../../support/engine.ts';

describe('[A2] a patch on expiry', () => {
  const check = (patch: Extract<OnExpire, { action: 'patch' }>['patch']) => () =>
    checkAction({ action: 'patch', patch }, 'c', () => true);

  it('may be as large as a document, and not larger', () => {
    const room = LARGEST_DOCUMENT_BYTES - '{"text":""}'.length;
    expect(check({ text: 'x'.repeat(room) })).not.toThrow();
    expect(check({ text: 'x'.repeat(room + 1) })).toThrow('larger than a document may be');
    expect(check({ text: 'é'.repeat(room / 2 + 1) })).toThrow('larger than a document may be');
  });

  it('may not change _id, and has only what JSON and a document may have', () => {
    expect(check({ _id: 'other' })).toThrow('A patch cannot change _id: leave it out.');
    expect(check({ n: Number.NaN })).toThrow('a number that JSON cannot represent');
    expect(check(JSON.parse('{"__proto__": {"a": 1}}'))).toThrow('a key named __proto__');
    expect(check(JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`))).toThrow('nested too deeply');
    expect(check({ n: null, deep: { a: [1] } })).not.toThrow();
  });
});

describe('[A4] a move on expiry', () => {
  const check = (to: string) => () => checkAction({ action: 'move', to }, 'c', name => name === 'archive');

  it('is to another collection that exists', () => {
    expect(check('archive')).not.toThrow();
    expect(check('c')).toThrow('Documents of c are in c already; name another collection to move them to.');
    expect(check('other')).toThrow('There is no collection named other to move to. Create it first.');
  });
});

describe('[A3] a replacement on expiry', () => {
  it('is an expression that compiles', () => {
    const check = (expression: string) => () =>
      checkAction({ action: 'replace', expression }, 'c', () => true);
    expect(check('{"_id": doc._id}')).not.toThrow();
    expect(check('{"_id": ')).toThrow(SandglassError);
  });

  it('and a deletion needs no check', () => {
    expect(() => checkAction({ action: 'delete' }, 'c', () => false)).not.toThrow();
  });
});

describe('the outcome of an action', () => {
  const outcome = (onExpire: OnExpire, document: JsonObject = { _id: 'a', n: 1 }) =>
    prepareAction(onExpire).outcomeOf(document, NOON);

  it.each<[OnExpire, object]>([
    [{ action: 'delete' }, { kind: 'remove' }],
    [
      { action: 'move', to: 'archive' },
      { kind: 'move', to: 'archive' },
    ],
    [
      { action: 'patch', patch: { n: null, m: 2 } },
      { kind: 'change', document: { _id: 'a', m: 2 } },
    ],
    [
      { action: 'replace', expression: '{"_id": doc._id, "n": doc.n + 1}' },
      { kind: 'change', document: { _id: 'a', n: 2 } },
    ],
    [
      { action: 'replace', expression: '{"n": 5}' },
      { kind: 'change', document: { _id: 'a', n: 5 } },
    ],
    [{ action: 'replace', expression: 'null' }, { kind: 'remove' }],
    [
      { action: 'replace', expression: '{"_id": "b"}' },
      { kind: 'failed', problem: 'It would change _id from "a" to b; an action must keep _id.' },
    ],
    [
      { action: 'replace', expression: '{"n": doc.missing}' },
      { kind: 'failed', problem: expect.stringContaining('missing') },
    ],
  ])('[A1, A2, A3, A4, A5] of %j is %j', (onExpire, expected) => {
    expect(prepareAction(onExpire).action).toBe(onExpire.action);
    expect(outcome(onExpire)).toEqual(expected);
  });
});

describe('[A5] progress', () => {
  const at = (reference: number): DeadlineRule => ({ ...RULE, read: () => ({ at: reference }) });
  const RULE: DeadlineRule = {
    addMs: MINUTE,
    isPaused: false,
    isActing: true,
    hides: true,
    read: () => ({ reason: 'missing field' }),
  };
  const problem = (rule: DeadlineRule) => progressProblem(rule, {}, { updatedAt: NOON, cutoff: NOON });

  it('is no deadline, or one after the cutoff', () => {
    expect(problem(RULE)).toBeNull();
    expect(problem(at(NOON - MINUTE + 1))).toBeNull();
    expect(problem(at(NOON - MINUTE))).toBe(
      'It would still be due, at Sat 21 Nov 2026 12:00:00 UTC: the action must remove or postpone the deadline.',
    );
  });
});
