import { describe, expect, it } from 'vitest';
import type { Drafts } from '../../../../renderer/features/documents/editor/drafts.ts';
import {
  idsOf,
  MOST_CHARACTERS,
  MOST_EDITS,
  mergeRecords,
  recordOf as recordOfChanges,
  restoreRecord,
} from '../../../../renderer/features/documents/reload-record.ts';
import {
  type Staged,
  type StagedEdit,
  stage,
  unstage,
} from '../../../../renderer/features/documents/staging/staged-edits.ts';
import { NOTHING_WRITTEN } from '../../../../renderer/features/documents/staging/use-apply-staged.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { row } from './build.ts';

const NEVER = { kind: 'never' } as const;
const staged = (...ids: string[]) =>
  stage(
    new Map(),
    ids.map(id => row(id)),
    NEVER,
  );
const NO_DRAFTS = new Map();
const recordOf = (
  staged: Staged,
  drafts: Drafts,
  earlier: readonly Staged[] = [],
  written = NOTHING_WRITTEN,
) => recordOfChanges({ staged, earlier, drafts, written });
const draft = (id: string, text: string) => [id, { base: row(id), text }] as const;

describe('the record of pending changes', () => {
  it('is null without pending changes', () => {
    expect(recordOf(new Map(), new Map())).toBeNull();
    expect(mergeRecords([])).toBeNull();
    expect(mergeRecords([{ edits: 7 }, null, 'text'])).toBeNull();
  });

  it('is restored if the documents are unchanged', () => {
    const record = recordOf(staged('a', 'b'), new Map([draft('c', '{"typed": 1}')]));
    const read = mergeRecords([structuredClone(record)]);
    if (read === null) throw new Error('not read');
    const now = new Map(['a', 'b', 'c'].map(id => [id, row(id)]));
    const { staged: edits, drafts, dropped } = restoreRecord(read, now);
    expect([...edits]).toEqual([...staged('a', 'b')]);
    expect(drafts.get('c')).toEqual({ base: row('c'), text: '{"typed": 1}' });
    expect(dropped).toBe(0);
  });

  it('is shared by several windows, and contains the last edit of each document', () => {
    const earlier = recordOf(staged('a', 'b'), new Map([draft('c', 'first')]));
    const later = recordOf(stage(new Map(), [row('a')], { kind: 'clear' }), new Map([draft('c', 'second')]));
    const merged = mergeRecords([earlier, later]);
    expect(merged?.edits.map(({ _id, edit }) => [_id, edit.kind])).toEqual([
      ['a', 'clear'],
      ['b', 'never'],
    ]);
    expect(merged?.texts.map(({ text }) => text)).toEqual(['second']);
  });

  it('drops edits of documents that changed, got another deadline or were removed', () => {
    const record = recordOf(staged('same', 'written', 'moved', 'gone'), new Map());
    if (record === null) throw new Error('nothing is kept');
    const now = new Map([
      ['same', row('same')],
      ['written', { ...row('written'), updatedAt: row('written').updatedAt + 1 }],
      ['moved', { ...row('moved'), deadlineAt: (row('moved').deadlineAt ?? 0) + 1 }],
    ]);
    const { staged: edits, dropped } = restoreRecord(record, now);
    expect([...edits.keys()]).toEqual(['same']);
    expect(dropped).toBe(3);
  });

  it('keeps unsaved text in any case, based on its old document', () => {
    const record = recordOf(new Map(), new Map([draft('written', 'mine'), draft('gone', 'too')]));
    if (record === null) throw new Error('nothing is kept');
    const later = { ...row('written'), updatedAt: row('written').updatedAt + 1 };
    const { drafts } = restoreRecord(record, new Map([['written', later]]));
    expect(drafts.get('written')).toMatchObject({
      text: 'mine',
      base: { updatedAt: row('written').updatedAt },
    });
    expect(drafts.get('gone')?.text).toBe('too');
  });

  it('contains the states of undo, without documents that changed meanwhile', () => {
    const one = staged('a', 'changed');
    const two = stage(one, [row('a')], { kind: 'clear' });
    const three = unstage(two, ['a', 'changed']);
    const record = recordOf(three, NO_DRAFTS, [new Map(), one, two]);
    const read = mergeRecords([structuredClone(record)]);
    if (read === null) throw new Error('not read');
    expect(idsOf(read)).toEqual(['a', 'changed']);

    const all = new Map(['a', 'changed'].map(id => [id, row(id)]));
    const same = restoreRecord(read, all);
    expect(same.staged.size).toBe(0);
    expect(same.earlier).toEqual([new Map(), one, two]);

    const changed = restoreRecord(read, new Map([['a', row('a')]]));
    expect(changed.earlier.map(state => [...state.keys()])).toEqual([[], ['a'], ['a']]);
    expect(changed.dropped).toBe(0);
  });

  it('contains no undo step without effect, and as many steps as fit', () => {
    const one = staged('changed');
    const record = recordOf(new Map(), NO_DRAFTS, [new Map(), one]);
    if (record === null) throw new Error('nothing is kept');
    expect(restoreRecord(record, new Map()).earlier).toEqual([]);
    const many = staged(...Array.from({ length: MOST_EDITS }, (_, i) => `d${i}`));
    expect(recordOf(many, NO_DRAFTS, [one, many, new Map()])?.undo).toHaveLength(1);
  });

  it('contains the last run, so that it can be undone for unchanged documents', () => {
    const before = { deadlineAt: 9_000, deadlineFrom: 'idx' };
    const run = (ids: string, edit: StagedEdit['edit']) =>
      [...ids].map(id => ({ before: row(id, before), edit }));
    const edits = [
      ...run('ab', NEVER),
      ...run('c', { kind: 'after', seconds: 60 }),
      ...run('de', { kind: 'clear' }),
    ];
    const read = mergeRecords([recordOf(new Map(), NO_DRAFTS, [], { at: 1_000, elapsedMs: 5, edits })]);
    if (read === null) throw new Error('not read');
    const pinned = { deadlineAt: null, deadlineFrom: EXPLICIT };
    const { written } = restoreRecord(
      read,
      new Map([
        ['a', row('a', pinned)],
        ['b', row('b', { deadlineAt: 5_000, deadlineFrom: EXPLICIT })],
        ['c', row('c', { deadlineAt: 61_020, deadlineFrom: EXPLICIT })],
        ['d', row('d', before)],
        ['e', row('e', { ...before, updatedAt: 1_001 })],
      ]),
    );
    expect(written).toMatchObject({ at: 1_000, elapsedMs: 5 });
    expect(written.edits).toEqual([
      ...run('a', NEVER),
      ...run('c', { kind: 'after', seconds: 60 }),
      ...run('d', { kind: 'clear' }),
    ]);
  });

  it('is bounded, latest text first, and counts edits that did not fit', () => {
    const many = staged(...Array.from({ length: MOST_EDITS + 3 }, (_, i) => `d${i}`));
    const long = 'x'.repeat(MOST_CHARACTERS - 10);
    const record = recordOf(many, new Map([draft('old', long), draft('new', 'x'.repeat(20))]));
    expect(record?.edits).toHaveLength(MOST_EDITS);
    expect(record?.texts.map(({ _id }) => _id)).toEqual(['new']);
    expect(record?.more).toBe(4);
    expect(JSON.stringify(record).length).toBeLessThan(2 * MOST_CHARACTERS);
  });
});
