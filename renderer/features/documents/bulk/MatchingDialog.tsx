import { useId, useState } from 'react';
import type { DocumentFilter } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { client, engineNow, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { jsonLine } from '../../../components/json-line.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { CopyButton, RestCall } from '../../../components/RestCall.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { useZone } from '../../../components/time/clock.ts';
import { refusalOf } from '../editor/use-save-document.ts';
import { type ExpirationEdit, editBody, editInWords } from '../expiration/expiration-edit.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';
import { filterInWords, matchingFilter } from './matching-filter.ts';

/** What is to happen to all documents of a list. */
export type MatchingChange = { do: 'set'; edit: ExpirationEdit } | { do: 'delete' };

interface MatchingDialogProps {
  collection: string;
  query: DocumentsQuery;
  /** How many there are; null where only reading them all could tell. */
  count: number | null;
  /** Null while nothing is asked. */
  change: MatchingChange | null;
  onClose: () => void;
  onBegun: (job: Job) => void;
}

/** Asks before all that match are changed: they were not read, so there is nothing to stage or to undo. */
export function MatchingDialog(props: MatchingDialogProps) {
  const { change, onClose } = props;
  return (
    <Dialog opened={change !== null} onClose={onClose} title={titleOf(props)} width={620}>
      {change !== null && <Question {...props} change={change} />}
    </Dialog>
  );
}

function titleOf({ collection, count, change }: MatchingDialogProps): string {
  const them = `all ${count === null ? '' : `${formatCount(count)} `}matching documents of ${collection}`;
  if (change?.do === 'delete') return `Delete ${them}?`;
  return change?.edit.kind === 'clear'
    ? `Clear the expiration of ${them}?`
    : `Set the expiration of ${them}?`;
}

function Question(props: MatchingDialogProps & { change: MatchingChange }) {
  const { collection, query, count, change, onClose, onBegun } = props;
  const [zone] = useZone();
  const [typed, setTyped] = useState('');
  // What the list is of now: documents that come to match while one reads are not meant.
  const [askedAt] = useState(engineNow);
  const filter = matchingFilter(query, askedAt);
  const run = useChange({
    mutationFn: () => send(collection, filter, change),
    onSuccess: job => {
      onBegun(job);
      onClose();
    },
  });
  const refusal = refusalOf(run.error);
  const isDeleting = change.do === 'delete';
  const which = filterInWords(query, askedAt, zone);
  const call = callOf(collection, filter, change);
  return (
    <div className="matching">
      <p className="wrap">
        {which === null ? 'Nothing narrows the list: these are all of them. ' : `Those with ${which}. `}
        {isDeleting
          ? 'They are deleted for good. This is no expiry: the timeline does not count it, and no copy is kept.'
          : `${meaning(change.edit, editInWords(change.edit, askedAt, zone))} It cannot be undone as a whole.`}
      </p>
      <section>
        <div className="row">
          <h3 className="t-11 t-3 grow">The same, as REST</h3>
          <CopyButton text={`POST ${call.path}\n${call.body}`} />
        </div>
        <RestCall method="POST" {...call} />
      </section>
      {isDeleting && <TypeTheName collection={collection} typed={typed} onType={setTyped} />}
      {refusal !== null && <Note tone="bad">{refusal}</Note>}
      <div className="row matching-f">
        <span className="t-12 t-3 grow">
          It runs as a job that can be cancelled; what is done stays done.
        </span>
        <Button onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          variant={isDeleting ? 'danger' : 'primary'}
          busy={run.isPending}
          disabled={isDeleting && typed !== collection}
          onClick={() => run.mutate()}
        >
          {isDeleting ? 'Delete' : 'Apply to'} all {count === null ? 'matching' : formatCount(count)}
        </Button>
      </div>
    </div>
  );
}

function send(collection: string, filter: DocumentFilter, change: MatchingChange): Promise<Job> {
  return change.do === 'delete'
    ? client.documents.deleteMany({ collection, filter })
    : client.documents.setExpirations({ collection, filter, ...editBody(change.edit) });
}

function callOf(collection: string, filter: DocumentFilter, change: MatchingChange) {
  const base = `/api/collections/${encodeURIComponent(collection)}`;
  return change.do === 'delete'
    ? { path: `${base}/deletions`, body: jsonLine({ filter }) }
    : { path: `${base}/expirations`, body: jsonLine({ filter, ...editBody(change.edit) }) };
}

function meaning(edit: ExpirationEdit, words: string): string {
  switch (edit.kind) {
    case 'clear':
      return 'What was set by hand is taken away; the TTL indexes decide again, and one that they make due leaves at once.';
    case 'never':
      return 'They never expire until that is cleared; deleting by hand still works.';
    default:
      return `They expire ${words}, whatever the TTL indexes say.`;
  }
}

function TypeTheName({
  collection,
  typed,
  onType,
}: {
  collection: string;
  typed: string;
  onType: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="row">
      <label className="grow wrap" htmlFor={id}>
        To confirm, type the collection’s name: <b className="mono t-semi">{collection}</b>
      </label>
      <input
        id={id}
        className="input mono"
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={event => onType(event.target.value)}
      />
    </div>
  );
}
