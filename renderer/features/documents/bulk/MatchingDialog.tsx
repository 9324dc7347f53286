import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentFilter } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import {
  type CausedRemoval,
  client,
  engineNow,
  orpc,
  reportRemoval,
  useChange,
  useMissing,
} from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import { jsonLine } from '../../../components/json-line.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { RestCall } from '../../../components/RestCall.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { useZone } from '../../../components/time/clock.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { refusalOf } from '../editor/use-save-document.ts';
import { type ExpirationEdit, editBody, editedDeadline, formatEdit } from '../expiration/expiration-edit.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';
import { formatFilter, matchingFilter } from './matching-filter.ts';

/** Change of all matching documents. */
export type MatchingChange = { do: 'set'; edit: ExpirationEdit } | { do: 'delete' };

interface MatchingDialogProps {
  collection: string;
  query: DocumentsQuery;
  /** Number of matching documents; null: unknown without reading them. */
  count: number | null;
  /** Null: the dialog is closed. */
  change: MatchingChange | null;
  onClose: () => void;
  onBegun: (job: Job) => void;
}

/**
 * Confirms a change by filter, which cannot be staged. A deletion always requires the typed name: `needsName`
 * applies to documents that become due, whereas a deletion removes every match at once [R8].
 */
export function MatchingDialog(props: MatchingDialogProps) {
  const { change, onClose } = props;
  return (
    <Dialog opened={change !== null} onClose={onClose} title={titleOf(props)} width={620}>
      {change !== null && <Question {...props} change={change} />}
    </Dialog>
  );
}

function titleOf({ collection, count, change }: MatchingDialogProps): string {
  const documents =
    count === null
      ? t`all matching documents of ${collection}`
      : t`all ${formatCount(count)} matching documents of ${collection}`;
  if (change?.do === 'delete') return t`Delete ${documents}?`;
  return change?.edit.kind === 'clear'
    ? t`Clear the expiration of ${documents}?`
    : t`Set the expiration of ${documents}?`;
}

function Question(props: MatchingDialogProps & { change: MatchingChange }) {
  const { collection, query, count, change, onClose, onBegun } = props;
  const [zone] = useZone();
  const hasIndexes = useMissing('ttlIndexes') === null;
  const keepsCopies = useMissing('restore') === null;
  const canUndo = useMissing('undoExpiration') === null;
  const [typed, setTyped] = useState('');
  // Fixed when the dialog opens, so that the change does not include documents that match later.
  const [askedAt] = useState(engineNow);
  const filter = matchingFilter(query, askedAt);
  const run = useChange({
    mutationFn: () => send(collection, filter, change),
    onSuccess: job => {
      reportRemoval(removalOf(collection, change, job));
      onBegun(job);
      onClose();
    },
  });
  const refusal = refusalOf(run.error);
  const isDeleting = change.do === 'delete';
  const which = formatFilter(query, askedAt, zone);
  const call = callFor(collection, filter, change);
  return (
    <div className={classes.matching}>
      <p className="wrap">
        {which !== null
          ? t`Filter: ${which}.`
          : count === null
            ? t`No filter: this affects all documents.`
            : t`No filter: this affects all ${formatCount(count)} documents.`}{' '}
        {isDeleting && !keepsCopies
          ? t`What is deleted cannot be restored.`
          : isDeleting
            ? t`A copy can be restored for the store’s retention, within its limit of size; the timeline does not count deletions.`
            : `${formatMeaning(change.edit, askedAt, zone, hasIndexes)} ${canUndo ? t`Undo is offered at the end.` : t`This cannot be undone.`}`}
      </p>
      {!isDeleting && <MatchingEffect collection={collection} filter={filter} edit={change.edit} />}
      <section>
        <div className="row">
          <h3 className="t-11 t-3 grow">{t`REST call`}</h3>
          <CopyButton text={`POST ${call.path}\n${call.body}`} />
        </div>
        <RestCall method="POST" {...call} />
      </section>
      {isDeleting && <ConfirmName collection={collection} typed={typed} onType={setTyped} />}
      {refusal !== null && <Note tone="bad">{refusal}</Note>}
      <div className={`row ${classes.matchingF}`}>
        <span className="t-12 t-3 grow">
          <Trans>Runs as a job. Cancelling it keeps the documents changed so far.</Trans>
        </span>
        <Button onClick={onClose} data-autofocus>{t`Cancel`}</Button>
        <Button
          variant={isDeleting ? 'danger' : 'primary'}
          busy={run.isPending}
          disabled={isDeleting && typed !== collection}
          onClick={() => run.mutate()}
        >
          {isDeleting
            ? count === null
              ? t`Delete all matching`
              : t`Delete all ${formatCount(count)}`
            : count === null
              ? t`Apply to all matching`
              : t`Apply to all ${formatCount(count)}`}
        </Button>
      </div>
    </div>
  );
}

/** The exact effect, counted by the engine, which reads every matching document. */
function MatchingEffect({
  collection,
  filter,
  edit,
}: {
  collection: string;
  filter: DocumentFilter;
  edit: ExpirationEdit;
}) {
  const change = { collection, filter, ...editBody(edit) };
  const { data } = useQuery(
    orpc.documents.previewExpirations.queryOptions({
      input: change,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  );
  const [one] = data?.collections ?? [];
  const text =
    data === undefined
      ? t`Counting the documents that expire within 24 h…`
      : one === undefined
        ? t`No further document expires within 24 h.`
        : t`${formatCount(one.due)} of ${formatCount(one.documents)} documents of ${collection} expire within 24 h because of this.`;
  const unchanged = data?.unchanged ?? 0;
  return (
    <p className="wrap" role="status">
      {text}
      {unchanged > 0 && ` ${t`${formatCount(unchanged)} stay unchanged.`}`}
    </p>
  );
}

/** Returns the documents that the change removes; with a later expiration, they are removed once they are due. */
function removalOf(
  collection: string,
  change: MatchingChange,
  { id: job, startedAt: from }: Job,
): CausedRemoval {
  if (change.do === 'delete') return { collection, cause: 'deleted', from, job, isCertain: true };
  const due = editedDeadline(change.edit, from);
  const removal: CausedRemoval = { collection, cause: 'expired', from, job };
  return typeof due === 'number' ? { ...removal, index: EXPLICIT, dueAt: due, isCertain: true } : removal;
}

function send(collection: string, filter: DocumentFilter, change: MatchingChange): Promise<Job> {
  return change.do === 'delete'
    ? client.documents.deleteMany({ collection, filter })
    : client.documents.setExpirations({ collection, filter, ...editBody(change.edit) });
}

function callFor(collection: string, filter: DocumentFilter, change: MatchingChange) {
  const base = `/api/collections/${encodeURIComponent(collection)}`;
  return change.do === 'delete'
    ? { path: `${base}/deletions`, body: jsonLine({ filter }) }
    : { path: `${base}/expirations`, body: jsonLine({ filter, ...editBody(change.edit) }) };
}

function formatMeaning(edit: ExpirationEdit, now: number, zone: Zone, hasIndexes: boolean): string {
  switch (edit.kind) {
    case 'clear':
      return t`Clears explicit expirations: the TTL indexes decide again, and documents that are due by them expire at once.`;
    case 'never':
      return t`They never expire until cleared; they can still be deleted.`;
    default:
      return hasIndexes
        ? t`They expire ${formatEdit(edit, now, zone)}. This outranks every TTL index.`
        : t`They expire ${formatEdit(edit, now, zone)}.`;
  }
}

function ConfirmName({
  collection,
  typed,
  onType,
}: {
  collection: string;
  typed: string;
  onType: (text: string) => void;
}) {
  return (
    <TextInput
      classNames={{ input: 'mono' }}
      label={
        <Trans>
          To confirm, type the name of the collection: <b className="mono t-semi">{collection}</b>
        </Trans>
      }
      value={typed}
      onChange={event => onType(event.target.value)}
    />
  );
}
