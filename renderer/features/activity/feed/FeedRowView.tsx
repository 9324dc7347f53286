import { Trans } from '@lingui/react/macro';
import { memo } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { RowPlace } from '../../../components/data-grid/HistoryTable.tsx';
import { Ago, TimeOfDay } from '../../../components/time/Time.tsx';
import { formatCount, formatLag } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import type { FeedGap, FeedRow } from './feed-log.ts';
import { changeLabel, formatDocuments, formatIndex, formatRow } from './format-feed.ts';

interface FeedRowViewProps extends RowPlace {
  row: FeedRow;
  isOpen: boolean;
  onOpen: (row: FeedRow, index: number) => void;
}

export const FeedRowView = memo(function FeedRowView({
  row,
  isOpen,
  isActive,
  onOpen,
  ...place
}: FeedRowViewProps) {
  const { word, icon } = changeLabel(row);
  return (
    <tr
      id={place.id}
      aria-rowindex={place.index + 2}
      aria-selected={isOpen}
      className={[isOpen && 'sel', isActive && 'active'].filter(Boolean).join(' ')}
      title={formatRow(row)}
      onClick={() => onOpen(row, place.index)}
    >
      <td className="mono t-2">{formatCount(row.revision)}</td>
      <td className="t-2">
        <span className={classes.wideOnly}>
          <Ago at={row.at} />
          &ensp;
        </span>
        <TimeOfDay at={row.at} className="when" />
      </td>
      <td>
        <span className={row.kind === 'expire' ? 'c-accent' : 't-3'}>
          <Icon name={icon} size={12} />
        </span>
        &ensp;{word}
      </td>
      <td className={`num ${row.count > 1 ? '' : 't-2'}`}>{formatCount(row.count)}</td>
      <td>{row.collection}</td>
      <td className="t-2">{formatIndex(row)}</td>
      <td className="mono t-3 extra">{formatDocuments(row)}</td>
      <td className="num t-2">{row.expiry !== null && formatLag(row.expiry.lagMs)}</td>
    </tr>
  );
});

export function FeedGapRow({ gap, columns, ...place }: RowPlace & { gap: FeedGap; columns: number }) {
  return (
    <tr id={place.id} aria-rowindex={place.index + 2} className={`gap ${place.isActive ? 'active' : ''}`}>
      <td colSpan={columns} className="t-3">
        <Icon name="next" size={12} />
        &ensp;
        <Trans>
          Revisions {formatCount(gap.from)} to {formatCount(gap.to)} were not read. Documents that expired in
          them are listed under Expired.
        </Trans>
      </td>
    </tr>
  );
}
