import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '../../../components/controls/Button.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { type Drafts, useDrafts } from './drafts.ts';

interface UnsavedNoteProps {
  collection: string;
  opened: string | null;
  onOpen: (id: string) => void;
}

/** Opens documents with unsaved text, also if their row is not visible or was removed. */
export function UnsavedNote({ collection, opened, onOpen }: UnsavedNoteProps) {
  const drafts = useDrafts(collection);
  const next = nextUnsaved(drafts, opened);
  if (next === null) return null;
  return (
    <Button variant="ghost" small icon="edit" title={t`Open ${next}`} onClick={() => onOpen(next)}>
      <Trans>{formatCount(drafts.size)} unsaved</Trans>
    </Button>
  );
}

/**
 * Returns the unsaved document after the opened one, cyclically; null: there is no other.
 * @internal
 */
export function nextUnsaved(drafts: Drafts, opened: string | null): string | null {
  const ids = [...drafts.keys()];
  const next = ids[(opened === null ? -1 : ids.indexOf(opened)) + 1] ?? ids[0] ?? null;
  return next === opened ? null : next;
}
