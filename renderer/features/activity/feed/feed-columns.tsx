import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import { columnsFor } from '../../../components/data-table/data-table.ts';
import { Ago, TimeOfDay } from '../../../components/time/Time.tsx';
import { formatCount, formatLag } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import type { FeedEntry, FeedGap, FeedRow } from './feed-log.ts';
import { changeLabel, formatDocuments, formatIndex } from './format-feed.ts';

const column = columnsFor<FeedEntry>();

/** Returns the cell of a change; a gap has no cells. */
const ofChange =
  (show: (change: FeedRow) => ReactNode) =>
  ({ row: { original } }: { row: { original: FeedEntry } }) =>
    original.kind === 'gap' ? null : show(original);

export const FEED_COLUMNS = column.columns([
  column.display({
    id: 'revision',
    header: t`Revision`,
    meta: { width: 96, cellClassName: 'mono t-2' },
    cell: ofChange(({ revision }) => formatCount(revision)),
  }),
  column.display({
    id: 'when',
    header: t`When`,
    meta: { cellClassName: 't-2' },
    cell: ofChange(({ at }) => (
      <>
        <span className={classes.wideOnly}>
          <Ago at={at} />
          &ensp;
        </span>
        <TimeOfDay at={at} className="when" />
      </>
    )),
  }),
  column.display({
    id: 'what',
    header: t({ message: 'Change', context: 'column: a change of documents' }),
    meta: { width: 104 },
    cell: ofChange(change => <Kind change={change} />),
  }),
  column.display({
    id: 'documents',
    header: t`Documents`,
    meta: { width: 82, isNumeric: true },
    cell: ofChange(({ count }) => <span className={count > 1 ? '' : 't-2'}>{formatCount(count)}</span>),
  }),
  column.display({
    id: 'collection',
    header: t`Collection`,
    meta: { width: 142 },
    cell: ofChange(({ collection }) => collection),
  }),
  column.display({
    id: 'index',
    header: t`Index`,
    meta: { cellClassName: 't-2' },
    cell: ofChange(formatIndex),
  }),
  column.display({
    id: 'which',
    header: t`Document _ids`,
    meta: { className: 'extra', cellClassName: 'mono t-3' },
    cell: ofChange(formatDocuments),
  }),
  column.display({
    id: 'lag',
    header: t`Lag`,
    meta: { width: 96, isNumeric: true, cellClassName: 't-2' },
    cell: ofChange(({ expiry }) => expiry !== null && formatLag(expiry.lagMs)),
  }),
]);

function Kind({ change }: { change: FeedRow }) {
  const { word, icon } = changeLabel(change);
  return (
    <>
      <span className={change.kind === 'expire' ? 'c-accent' : 't-3'}>
        <Icon name={icon} size={12} />
      </span>
      &ensp;{word}
    </>
  );
}

/** A row for revisions that were not read. */
export function Gap({ from, to }: FeedGap) {
  return (
    <>
      <Icon name="next" size={12} />
      &ensp;
      <Trans>
        Revisions {formatCount(from)} to {formatCount(to)} were not read. Documents that expired in them are
        listed under Expired.
      </Trans>
    </>
  );
}
