import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import type { TimeUnit } from '../../../../shared/model/reference-time.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { otherUnit } from '../preview/preview-figures.ts';
import classes from './index-form.module.css';

const UNITS = [
  { value: 'seconds', label: t`seconds` },
  { value: 'milliseconds', label: t`milliseconds` },
] as const;

interface UnitChoiceProps {
  unit: TimeUnit;
  onChange: (unit: TimeUnit) => void;
  /** Exact counts under this unit; null: not known. */
  preview: Preview | null;
}

/** The unit of numeric dates [D4], with a button to switch if values are only plausible in the other unit. */
export function UnitChoice({ unit, onChange, preview }: UnitChoiceProps) {
  const other = unit === 'seconds' ? 'milliseconds' : 'seconds';
  const otherName = other === 'seconds' ? t`seconds` : t`milliseconds`;
  const suspected = preview === null ? { values: 0, of: 0 } : otherUnit(preview);
  const isMost = suspected.values * 2 > suspected.of;
  return (
    <>
      <div className={`row ${classes.unitRow}`}>
        <span className="t-2 nowrap">{t`Read numbers as`}</span>
        <Segmented label={t`Unit of numbers`} value={unit} segments={UNITS} onChange={onChange} />
      </div>
      {suspected.values > 0 && isMost && (
        <Note
          tone="warn"
          role="status"
          className={classes.unitNote}
          action={
            <Button small onClick={() => onChange(other)}>
              <Trans>Read as {otherName}</Trans>
            </Button>
          }
        >
          <Trans>
            <b className="t-semi">
              {unitShare(suspected)} only make sense as {otherName}.
            </b>{' '}
            They never expire with this unit.
          </Trans>
        </Note>
      )}
      {suspected.values > 0 && !isMost && (
        <p className="hint">
          <Trans>
            {unitShare(suspected)} only make sense as {otherName}; they would never expire.
          </Trans>
        </p>
      )}
    </>
  );
}

function unitShare({ values, of }: { values: number; of: number }): string {
  return values === of
    ? t`All ${formatCount(of)} values`
    : t`${formatCount(values)} of ${formatCount(of)} values`;
}
