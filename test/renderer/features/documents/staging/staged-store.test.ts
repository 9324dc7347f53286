// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  NOTHING_STAGED,
  type Staged,
  stage,
  unstage,
} from '../../../../../renderer/features/documents/staging/staged-edits.ts';
import { useStagedEdits } from '../../../../../renderer/features/documents/staging/staged-store.ts';
import { row } from '../build.ts';

let nth = 0;
let collection = '';
beforeEach(() => {
  collection = `c${nth++}`;
});

const never = (staged: Staged, ...ids: string[]) =>
  stage(
    staged,
    ids.map(id => row(id)),
    { kind: 'never' },
  );

function staging() {
  const { result, unmount } = renderHook(() => useStagedEdits(collection));
  return {
    ids: () => [...result.current.staged.keys()].join(' '),
    canUndo: () => result.current.canUndo,
    do: (step: (edits: ReturnType<typeof useStagedEdits>) => void) => act(() => step(result.current)),
    unmount,
  };
}

describe('staged edits', () => {
  it('are undone step by step, down to the first state', () => {
    const { do: then, ids, canUndo } = staging();
    expect(canUndo()).toBe(false);
    then(edits => edits.change(staged => never(staged, 'a')));
    then(edits => edits.change(staged => never(staged, 'b', 'c')));
    then(edits => edits.change(() => NOTHING_STAGED));
    expect(ids()).toBe('');
    then(edits => edits.undo());
    expect(ids()).toBe('a b c');
    then(edits => edits.undo());
    expect(ids()).toBe('a');
    then(edits => edits.undo());
    expect([ids(), canUndo()]).toEqual(['', false]);
    then(edits => edits.undo());
    expect(ids()).toBe('');
  });

  it('are kept while another page is open, separately for each collection', () => {
    const first = staging();
    first.do(edits => edits.change(staged => never(staged, 'a')));
    first.unmount();
    expect(staging().ids()).toBe('a');
    collection = `${collection} other`;
    expect(staging().ids()).toBe('');
  });

  it('of a removed document are not restored by undo', () => {
    const { do: then, ids } = staging();
    then(edits => edits.change(staged => never(staged, 'a', 'gone')));
    then(edits => edits.change(staged => unstage(staged, ['a'])));
    then(edits => edits.drop(['gone']));
    then(edits => edits.undo());
    expect(ids()).toBe('a');
  });

  it('that were written cannot be undone', () => {
    const { do: then, ids, canUndo } = staging();
    then(edits => edits.change(staged => never(staged, 'a', 'b')));
    then(edits => edits.settle(staged => unstage(staged, ['a'])));
    expect([ids(), canUndo()]).toEqual(['b', false]);
  });

  it('from before a reload are undone after those staged since', () => {
    const { do: then, ids } = staging();
    then(edits => edits.change(staged => never(staged, 'new')));
    const old = never(NOTHING_STAGED, 'old');
    then(edits => edits.restore(never(old, 'older'), [NOTHING_STAGED, old]));
    expect(ids()).toBe('old older new');
    then(edits => edits.undo());
    expect(ids()).toBe('old older');
    then(edits => edits.undo());
    expect(ids()).toBe('old');
    then(edits => edits.undo());
    expect(ids()).toBe('');
  });
});
