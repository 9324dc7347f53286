import { t } from '@lingui/core/macro';
import { Radio } from '@mantine/core';
import { type ImportDeadlines, importDeadlines } from '../../../../shared/contract/jobs.ts';
import classes from '../import.module.css';

const CHOICES: Readonly<Record<ImportDeadlines, { label: string; means: string }>> = {
  absolute: {
    label: t`Keep`,
    means: t`Explicit expirations keep their time. Deadlines of TTL indexes need the same index here. If some have passed, the collection is held until confirmed.`,
  },
  remaining: {
    label: t`Keep remaining time`,
    means: t`The time remaining at the export starts again now.`,
  },
  none: { label: t`None`, means: t`Only TTL indexes of the collection set deadlines.` },
};

interface DeadlinesFieldProps {
  deadlines: ImportDeadlines;
  onChange: (deadlines: ImportDeadlines) => void;
}

/** Choice of the deadlines that are imported. The first two choices keep pins. */
export function DeadlinesField({ deadlines, onChange }: DeadlinesFieldProps) {
  return (
    <fieldset className={classes.choices}>
      <legend>{t`Deadlines in the file`}</legend>
      {importDeadlines.options.map(value => (
        <Radio
          key={value}
          name="deadlines"
          label={<b className="t-semi">{CHOICES[value].label}</b>}
          description={CHOICES[value].means}
          checked={value === deadlines}
          onChange={() => onChange(value)}
        />
      ))}
    </fieldset>
  );
}
