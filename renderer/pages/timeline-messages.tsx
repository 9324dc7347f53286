import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { useLive, useRefusal } from '../api.ts';
import { Button, ButtonLink } from '../components/controls/Button.tsx';
import { toCollection, toCreateIndex } from '../components/navigation/location.ts';
import { EmptyState } from '../components/status/EmptyState.tsx';
import { Instant, Upcoming } from '../components/time/Time.tsx';
import { pickFile } from '../features/import/file/import-request.ts';
import type { TimelineAnswer } from '../features/timeline/model/timeline-model.ts';
import type { Zoom } from '../features/timeline/model/zoom.ts';
import { formatCount } from '../i18n/format.ts';
import { formatHold } from '../i18n/format-hold.ts';

type ZoomTo = (zoom: Zoom) => void;
const DAY_MS = 86_400_000;

const documents = (count: number) => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

function isEmptyFrom(answer: TimelineAnswer): boolean {
  return (
    answer.overdue === 0 &&
    answer.buckets.every(({ due, expired }) => due.every(n => n === 0) && expired.every(n => n === 0))
  );
}

/** The message right of now on an empty timeline, one for each reason. */
export function collectionMessage(
  summary: CollectionSummary,
  answer: TimelineAnswer,
  zoomTo: ZoomTo,
): ReactNode {
  const { name, nextDeadlineAt } = summary;
  if (summary.documents === 0 && answer.earliestAt === null) return <NoDocuments {...summary} />;
  if (summary.ttlIndexes === 0 && summary.withDeadline === 0 && answer.earliestAt === null)
    return <NoTtl {...summary} />;
  if (summary.state === 'building' || answer.recounting || !isEmptyFrom(answer)) return null;
  if (nextDeadlineAt === null && summary.state === 'held') {
    return (
      <EmptyState icon="held" title={t`Held until confirmed`}>
        {summary.holds[0] && formatHold(summary.holds[0])}
      </EmptyState>
    );
  }
  if (nextDeadlineAt === null) {
    return (
      <EmptyState icon="never" title={t`No document has a deadline`} actions={<Reasons name={name} />}>
        {summary.ttlIndexes === 0
          ? t`All documents with a deadline have expired.`
          : t`None of ${documents(summary.documents)} in ${name} gets one from an index.`}
      </EmptyState>
    );
  }
  return <NothingHere at={nextDeadlineAt} now={answer.now} zoomTo={zoomTo} />;
}

function NoDocuments({ name, ttlIndexes }: { name: string; ttlIndexes: number }) {
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const refusal = useRefusal('imports.start');
  return (
    <EmptyState
      icon="doc"
      title={t`No documents yet`}
      actions={
        refusal === null && (
          <Button
            variant="primary"
            disabled={lost}
            onClick={() => pickFile(name)}
          >{t`Import a file…`}</Button>
        )
      }
    >
      {refusal ?? t`Drop a file anywhere in this window, or insert documents by REST.`}
      {ttlIndexes > 0 && t` Documents get their deadline when they are written.`}
    </EmptyState>
  );
}

function NoTtl({ name, documents: count }: { name: string; documents: number }) {
  const mayWrite = useRefusal('imports.start') === null;
  const mayConfigure = useRefusal('ttlIndexes.create') === null;
  return (
    <EmptyState
      icon="glass"
      title={t`No TTL configured`}
      actions={
        <>
          {mayConfigure && (
            <ButtonLink variant="primary" href={toCreateIndex(name)}>{t`Create TTL index…`}</ButtonLink>
          )}
          {mayWrite && (
            <ButtonLink
              variant="ghost"
              href={toCollection(name, 'documents')}
            >{t`Set expirations`}</ButtonLink>
          )}
        </>
      }
    >
      <Trans>
        <span className="wrap">{name}</span> has {documents(count)} and no TTL index.
      </Trans>
    </EmptyState>
  );
}

function Reasons({ name }: { name: string }) {
  return <ButtonLink href={toCollection(name, 'ttl-indexes')}>{t`Show reasons`}</ButtonLink>;
}

function NothingHere({ at, now, zoomTo }: { at: number; now: number; zoomTo: ZoomTo }) {
  const distance = at - now;
  const [zoom, word]: [Zoom, string] =
    distance < DAY_MS / 2 ? ['1d', '1 d'] : distance < DAY_MS * 15 ? ['30d', '30 d'] : ['all', 'all'];
  return (
    <EmptyState
      icon="live"
      title={t`No deadline in this window`}
      actions={
        <Button onClick={() => zoomTo(zoom)}>
          <Trans>Zoom to {word}</Trans>
        </Button>
      }
    >
      <Trans>
        The next document expires <Upcoming at={at} />, at <Instant at={at} />.
      </Trans>
    </EmptyState>
  );
}

/** The message of an empty timeline of the whole store. */
export function storeMessage(answer: TimelineAnswer, zoomTo: ZoomTo): ReactNode {
  if (answer.recounting || !isEmptyFrom(answer)) return null;
  const next = answer.latestAt === null || answer.latestAt < answer.now ? null : answer.latestAt;
  if (next === null) {
    return (
      <EmptyState icon="glass" title={t`No document has a deadline`}>
        <Trans>
          No collection has a TTL index with documents to remove, and no document has an explicit expiration.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="live"
      title={t`No deadline in this window`}
      actions={<Button onClick={() => zoomTo('all')}>{t`Zoom to all`}</Button>}
    >
      <Trans>
        The last document expires <Upcoming at={next} />.
      </Trans>
    </EmptyState>
  );
}
