import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { GridSelection } from '../../components/data-grid/use-grid-selection.ts';
import { DeleteDialog } from './bulk/DeleteDialog.tsx';
import { MatchingDialog } from './bulk/MatchingDialog.tsx';
import type { Matching } from './bulk/use-matching.ts';
import { keepDraft } from './editor/drafts.ts';
import { NewDocument } from './editor/NewDocument.tsx';
import type { DocumentsQuery } from './list/documents-query.ts';
import { ReviewDialog } from './staging/ReviewDialog.tsx';
import { unstage } from './staging/staged-edits.ts';
import type { StagedEdits } from './staging/staged-store.ts';

interface DocumentDialogsProps {
  collection: string;
  query: DocumentsQuery;
  /** Number of matching documents; null: unknown without reading them. */
  matches: number | null;
  edits: Pick<StagedEdits, 'staged' | 'settle'>;
  selection: Pick<GridSelection<DocumentRecord>, 'clear'>;
  matching: Pick<Matching, 'proposed' | 'propose' | 'start'>;
  open: 'review' | 'new' | null;
  onClose: () => void;
  onApply: () => void;
  onInserted: (id: string) => void;
  /** `_id`s to delete after a confirmation; null: none. */
  deleting: readonly string[] | null;
  onCloseDeletion: () => void;
  onDeleted: (ids: readonly string[]) => void;
}

/** The dialogs of the documents page: review of staged edits, a new document, changes by filter, deletion. */
export function DocumentDialogs(props: DocumentDialogsProps) {
  const { collection, query, matches, edits, selection, matching, open, deleting } = props;
  return (
    <>
      <ReviewDialog
        collection={collection}
        staged={edits.staged}
        opened={open === 'review'}
        onClose={props.onClose}
        onApply={props.onApply}
      />
      <NewDocument
        collection={collection}
        opened={open === 'new'}
        onClose={props.onClose}
        onInserted={props.onInserted}
      />
      <MatchingDialog
        collection={collection}
        query={query}
        count={matches}
        change={matching.proposed}
        onClose={() => matching.propose(null)}
        onBegun={job => {
          matching.start(job);
          selection.clear();
        }}
      />
      <DeleteDialog
        collection={collection}
        ids={deleting}
        onClose={props.onCloseDeletion}
        onDeleted={ids => {
          selection.clear();
          edits.settle(staged => unstage(staged, ids));
          for (const id of ids) keepDraft(collection, id, null);
          props.onDeleted(ids);
        }}
      />
    </>
  );
}
