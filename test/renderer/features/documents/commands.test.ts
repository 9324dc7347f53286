import { describe, expect, it } from 'vitest';
import { documentCommands } from '../../../../renderer/features/documents/document-commands.ts';

const nothing = () => {};
const STILL = {
  mayWrite: true,
  target: 0,
  staged: 0,
  canApply: false,
  onNew: nothing,
  onFilter: nothing,
  onSelectLoaded: nothing,
  onSelectMatching: nothing,
  onSet: nothing,
  onClear: nothing,
  onDelete: nothing,
  onExport: nothing,
  onReview: nothing,
  onApply: nothing,
  onDiscard: nothing,
  onUndo: null,
};
const labels = (acts: Partial<Parameters<typeof documentCommands>[0]>) =>
  documentCommands({ ...STILL, ...acts }).map(({ label }) => label);

describe('commands of the documents page', () => {
  it('are only those possible now', () => {
    expect(labels({})).toEqual([
      'New document…',
      'Filter documents',
      'Select all loaded documents',
      'Select all matching documents',
    ]);
  });
  it('name their documents and the staged edits', () => {
    expect(labels({ target: 1 })).toContain('Delete this document…');
    expect(labels({ target: 1_200 })).toContain('Set expiration of 1,200 documents…');
    expect(labels({ target: 'matching' })).toContain('Clear expiration of all matching documents');
    expect(labels({ staged: 1 })).toContain('Apply 1 staged edit');
    expect(labels({ staged: 12, onUndo: nothing })).toEqual(
      expect.arrayContaining(['Review 12 staged edits…', 'Discard 12 staged edits', 'Undo']),
    );
  });
  it('[P1] include no change without the permission', () => {
    expect(labels({ mayWrite: false, target: 3, staged: 2 })).toEqual([
      'Filter documents',
      'Select all loaded documents',
      'Select all matching documents',
      'Export 3 documents…',
    ]);
  });
});
