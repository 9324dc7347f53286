import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { formatExactDuration, parseDuration } from '../../../../shared/model/duration.ts';
import fields from '../../../components/controls/fields.module.css';
import { formatLongDuration } from '../../../i18n/format.ts';
import { useStoreSettings } from '../draft/use-store-settings.ts';
import classes from './index-form.module.css';

interface RetentionFieldProps {
  /** Empty: the store's retention. */
  value: string;
  onChange: (text: string) => void;
  problem: string | null;
}

/** Retention of copies of expired documents [X4]; the placeholder shows the store's default. */
export function RetentionField({ value, onChange, problem }: RetentionFieldProps) {
  const settings = useStoreSettings();
  const usual = settings === undefined ? null : settings.retention;
  return (
    <TextInput
      className={`${fields.inline} ${classes.retention}`}
      label={t`Keep restorable for`}
      value={value}
      placeholder={usual === null ? '' : usual === 0 ? '0' : formatExactDuration(usual)}
      description={problem === null && meaning(value, usual)}
      error={problem}
      onChange={event => onChange(event.target.value)}
    />
  );
}

function meaning(value: string, usual: number | null): string {
  if (value.trim() === '') {
    return usual === null ? t`the store’s default` : t`${keeps(usual)}, the store’s default`;
  }
  const parsed = parseDuration(value);
  return 'seconds' in parsed ? keeps(parsed.seconds) : '';
}

const keeps = (seconds: number) => (seconds === 0 ? t`no copies` : formatLongDuration(seconds));
