import { memo } from 'react';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { RowPlace } from '../../../components/data-grid/HistoryTable.tsx';
import { Instant } from '../../../components/time/Time.tsx';
import { formatBatchLength, formatCount, formatDuration } from '../../../i18n/format.ts';
import { endingOf, TRIGGER_LABEL } from './format-pass.ts';

interface PassRowProps extends RowPlace {
  pass: Pass;
  isOpen: boolean;
  isReaperActive: boolean;
  onOpen: (pass: Pass, index: number) => void;
}

export const PassRow = memo(function PassRow(props: PassRowProps) {
  const { pass, isReaperActive } = props;
  const ending = endingOf(pass, isReaperActive);
  return (
    <tr
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-selected={props.isOpen}
      className={[props.isOpen && 'sel', props.isActive && 'active'].filter(Boolean).join(' ')}
      onClick={() => props.onOpen(pass, props.index)}
    >
      <td className="mono">{formatCount(pass.id)}</td>
      <td className="t-2">
        <Instant at={pass.cutoff} />
      </td>
      <td className="t-2 spare">{TRIGGER_LABEL[pass.trigger]}</td>
      <td title={pass.collection}>{pass.collection}</td>
      <Count count={pass.removed} />
      <Count count={pass.changed} className="spare" />
      <Count count={pass.quarantined} className="spare" tone="c-quarantined" />
      <td className="num t-2">{formatDuration(pass.endedAt - pass.startedAt)}</td>
      <td className="num t-2 extra">{formatBatchLength(pass.longestBatchMs)}</td>
      <td title={pass.error ?? ending.meaning}>
        <span className={ending.className}>
          <Icon name={ending.icon} size={12} />
          &ensp;{ending.word}
        </span>
        {pass.error !== null && <span className="t-3"> · {pass.error}</span>}
      </td>
    </tr>
  );
});

function Count({ count, className = '', tone = '' }: { count: number; className?: string; tone?: string }) {
  return <td className={`num ${className} ${count === 0 ? 't-3' : tone}`}>{formatCount(count)}</td>;
}
