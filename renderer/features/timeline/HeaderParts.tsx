import { t } from '@lingui/core/macro';
import { useLive } from '../../api.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { formatRecordsPer } from '../../i18n/format-engine-words.ts';
import type { TimelineUnit } from './canvas/view-events.ts';
import { bucketUnit } from './model/zoom.ts';
import classes from './timeline.module.css';

/** The unit of a bar: `documents per 30 s, one block each`. */
export function TimelineUnitLabel({ unit, recounting }: { unit: TimelineUnit; recounting: boolean }) {
  const records = formatRecordsPer(
    useLive(({ store }) => store?.capabilities.words),
    bucketUnit(unit.bucketMs),
  );
  return (
    <span className="t-12 t-3 nowrap">
      {unit.blocks ? t`${records}, one block each` : records}
      {recounting ? t`, recounting` : ''}
    </span>
  );
}

export function BackToNow({ onClick }: { onClick: () => void }) {
  return (
    <Button
      small
      variant="ghost"
      icon="glass"
      aria-keyshortcuts="N"
      title={t`Back to now  N`}
      onClick={onClick}
    >{t`Back to now`}</Button>
  );
}

export function TableSwitch({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  return (
    <IconButton
      className={classes.tableSwitch}
      icon="table"
      iconSize={16}
      label={t`Show as table`}
      aria-pressed={open}
      aria-keyshortcuts="T"
      title={open ? t`Hide table  T` : t`Show as table  T`}
      onClick={onToggle}
    />
  );
}
