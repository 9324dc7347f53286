import { t } from '@lingui/core/macro';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { useWords } from '../../../api.ts';
import { Icon, type IconName } from '../../../components/controls/Icon.tsx';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import { formatRecords } from '../../../i18n/format-engine-words.ts';
import classes from './effect.module.css';
import { formatShare, type HorizonRow, horizonRows } from './preview-figures.ts';

const ICONS: Partial<Record<HorizonRow['id'], IconName>> = { dueAtOnce: 'overdue', never: 'never' };

/** Expirations of the collection by horizon: count, share and bytes. */
export function EffectBars({ preview, firstLabel }: { preview: Preview; firstLabel?: string }) {
  const records = formatRecords(useWords());
  const rows = horizonRows(preview);
  return (
    <table className={classes.table} aria-label={t`${records} by when they expire`}>
      <colgroup>
        <col className={classes.cWhen} />
        <col />
        <col className={classes.cCount} />
        <col className={classes.cShare} />
        <col className={classes.cBytes} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t`When`}</th>
          <th scope="col">{t`Bar`}</th>
          <th scope="col">{records}</th>
          <th scope="col">{t`Share`}</th>
          <th scope="col">{t`Bytes`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Row
            key={row.id}
            row={row}
            showsBytes={rows.some(({ bytes }) => bytes > 0)}
            label={row.id === 'dueAtOnce' ? (firstLabel ?? row.label) : row.label}
          />
        ))}
      </tbody>
    </table>
  );
}

/** `showsBytes`: not every engine reports sizes. */
function Row({ row, label, showsBytes }: { row: HorizonRow; label: string; showsBytes: boolean }) {
  const icon = ICONS[row.id];
  const isAlarming = row.id === 'dueAtOnce' && row.count > 0;
  return (
    <tr className={`${classes[row.id] ?? ''} ${isAlarming ? classes.alarming : ''}`}>
      <th scope="row">
        <span className={classes.icon}>{icon !== undefined && <Icon name={icon} size={12} />}</span>
        {label}
      </th>
      <td className={classes.bar}>
        {row.count > 0 && (
          <i
            className={row.id === 'dueAtOnce' || row.id === 'never' ? '' : 'hatch'}
            style={{ width: `${row.length * 100}%` }}
          />
        )}
      </td>
      <td className="num">{formatCount(row.count)}</td>
      <td className="num t-3 t-12">{formatShare(row.share)}</td>
      <td className="num t-3 t-12">{showsBytes && formatBytes(row.bytes)}</td>
    </tr>
  );
}
