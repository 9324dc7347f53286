import { describe, expect, it } from 'vitest';
import type { ChosenDefinition } from '../../../../renderer/features/ttl-indexes/draft/index-draft.ts';
import {
  effectTitle,
  formatRetention,
} from '../../../../renderer/features/ttl-indexes/format/format-action.ts';
import {
  differences,
  formatChange,
  revertOffer,
} from '../../../../renderer/features/ttl-indexes/history/format-change.ts';
import { copyForm, formatCopy } from '../../../../renderer/features/ttl-indexes/review/copy-formats.ts';
import { formatCall } from '../../../../renderer/features/ttl-indexes/review/index-call.ts';
import type { PolicyChange } from '../../../../shared/contract/ttl-indexes.ts';
import { anIndex } from './build.ts';

const definition = (change: Partial<ChosenDefinition> = {}): ChosenDefinition => ({
  source: { kind: 'field', field: 'ts', unit: 'milliseconds', expireAfter: 7_776_000 },
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
  ...change,
});
const before = definition();
const after = definition({
  source: { kind: 'field', field: 'ts', unit: 'milliseconds', expireAfter: 86_400 },
  limits: { removalsPerSecond: 500 },
});
const aChange = (change: Partial<PolicyChange> = {}): PolicyChange => ({
  id: 2,
  index: 'ts_90d',
  at: 0,
  by: 'maya',
  change: 'change',
  before: { ...before, limits: {} },
  after: { ...after, limits: { removalsPerSecond: 500 } },
  ...change,
});

describe('[X5] the policy history', () => {
  it('lists only differences, old and new', () => {
    expect(differences(before, after)).toEqual([
      { what: 'Expires', was: '90 days after ts', is: '1 day after ts' },
      { what: 'Limits', was: 'the store’s own', is: 'at most 500 a second' },
    ]);
    expect(differences(before, definition())).toEqual([]);
  });

  it('lists a difference that the short form would hide', () => {
    const inSeconds = definition({
      source: { kind: 'field', field: 'ts', unit: 'seconds', expireAfter: 7_776_000 },
    });
    expect(differences(before, inSeconds).map(({ is }) => is)).toEqual([
      '90 days after ts, numbers read as seconds',
    ]);
    const patch = (value: number) => definition({ onExpire: { action: 'patch', patch: { a: value } } });
    expect(differences(patch(1), patch(2))).toEqual([
      { what: 'On expiry', was: 'patch {"a": 1}', is: 'patch {"a": 2}' },
    ]);
  });

  it('shows all of a new definition', () => {
    expect(differences(null, before).map(({ what, was }) => [what, was])).toEqual(
      ['Expires', 'On expiry', 'Schedule', 'Limits', 'Copies'].map(what => [what, null]),
    );
    expect(formatChange({ change: 'revert', before: null })).toBe('Restored');
    expect(formatChange({ change: 'revert', before: { ...before, limits: {} } })).toBe('Reverted');
  });

  it('states that an observing index removes nothing', () => {
    expect(effectTitle('carts', { mode: 'exact' })).toBe('Expiration of carts with it');
    expect(effectTitle('carts', { mode: 'observe' })).toMatch(/^It removes nothing from carts/);
  });

  it('shows the store’s retention if it is known', () => {
    expect(formatRetention(null)).toBe('restorable for the store’s retention');
    expect(formatRetention(null, 86_400)).toBe('restorable for 1 day, the store’s default');
    expect(formatRetention(3_600, 86_400)).toBe('restorable for 1 hour');
    expect(formatRetention(null, 0)).toBe('not restorable, the store’s default');
  });

  it('offers a revert only if it changes the index and the engine accepts it', () => {
    const offered = (change: PolicyChange, current: ChosenDefinition | null) =>
      revertOffer(change, current === null ? null : anIndex(current));
    expect(offered(aChange(), after)).toEqual({ target: before });
    expect(offered(aChange(), before)).toEqual({ refusal: 'Already reverted' });
    expect(offered(aChange({ change: 'drop', after: null }), null)).toEqual({ target: before });
    expect(offered(aChange({ change: 'create', before: null }), after)).toEqual({ refusal: null });
    expect(offered(aChange({ change: 'pause' }), after)).toEqual({ refusal: null });
    expect(offered(aChange({ change: 'confirm', after: { ...before, limits: {} } }), after)).toEqual({
      refusal: null,
    });
    const other = definition({
      source: { kind: 'field', field: 'seen', unit: 'milliseconds', expireAfter: 60 },
    });
    expect(offered(aChange(), other)).toEqual({ refusal: 'Its source was different' });
  });
});

describe('[X5] the statement of an index', () => {
  it('is shown, or the reason why there is none', () => {
    const none = { statement: null, reason: 'It only deletes.' };
    const said = { cli: 'sandglass ttl create', cockroachdb: none, mongodb: none, arangodb: none };
    expect(formatCopy('cli', said)).toEqual({ statement: 'sandglass ttl create', reason: null });
    expect(formatCopy('mongodb', said)).toBe(none);
    expect([copyForm('mongodb'), copyForm('oracle'), copyForm(null)]).toEqual(['mongodb', 'rest', 'rest']);
  });

  it('has one member of the body per line', () => {
    expect(formatCall({ method: 'POST', path: '/p', body: { a: { b: 1 }, c: null } }).body).toBe(
      '{\n  "a": {"b": 1},\n  "c": null\n}',
    );
  });
});
