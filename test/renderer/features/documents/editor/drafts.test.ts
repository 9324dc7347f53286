import { describe, expect, it } from 'vitest';
import { draftsOf, keepDraft } from '../../../../../renderer/features/documents/editor/drafts.ts';
import { nextUnsaved } from '../../../../../renderer/features/documents/editor/UnsavedNote.tsx';
import { row } from '../build.ts';

describe('unsaved text', () => {
  const draft = (id: string) => ({ base: row(id), text: `{"typed": "${id}"}` });

  it('is kept by collection and document until it is discarded', () => {
    keepDraft('kept', 'a', draft('a'));
    keepDraft('kept', 'b', draft('b'));
    expect(draftsOf('kept').get('a')?.text).toContain('typed');
    expect(draftsOf('other').size).toBe(0);
    keepDraft('kept', 'a', null);
    expect([...draftsOf('kept').keys()]).toEqual(['b']);
  });

  it('is opened document by document, without the one that is open', () => {
    const drafts = new Map([
      ['a', draft('a')],
      ['b', draft('b')],
    ]);
    expect(nextUnsaved(drafts, null)).toBe('a');
    expect(nextUnsaved(drafts, 'a')).toBe('b');
    expect(nextUnsaved(drafts, 'b')).toBe('a');
    expect(nextUnsaved(new Map([['a', draft('a')]]), 'a')).toBeNull();
    expect(nextUnsaved(new Map(), null)).toBeNull();
  });
});
