import { useId } from 'react';
import { formatExactDuration, formatLongDuration, parseDuration } from '../../../../shared/model/duration.ts';
import { useStoreSettings } from '../draft/use-store-settings.ts';

interface RetentionFieldProps {
  /** Empty: the store's retention. */
  value: string;
  onChange: (text: string) => void;
  problem: string | null;
}

/** Retention of copies of expired documents [X4]; the placeholder shows the store's default. */
export function RetentionField({ value, onChange, problem }: RetentionFieldProps) {
  const id = useId();
  const settings = useStoreSettings();
  const usual = settings === undefined ? null : settings.retention;
  return (
    <div className="retention">
      <div className="row">
        <label className="t-2 nowrap" htmlFor={id}>
          Keep restorable for
        </label>
        <input
          id={id}
          className="input duration"
          value={value}
          placeholder={usual === null ? '' : usual === 0 ? '0' : formatExactDuration(usual)}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-echo`}
          onChange={event => onChange(event.target.value)}
        />
        <span id={`${id}-echo`} className={`t-12 ${problem === null ? 't-3' : 'problem'}`} aria-live="polite">
          {problem ?? meaning(value, usual)}
        </span>
      </div>
    </div>
  );
}

function meaning(value: string, usual: number | null): string {
  if (value.trim() === '') {
    return usual === null ? 'the store’s default' : `${keeps(usual)}, the store’s default`;
  }
  const parsed = parseDuration(value);
  return 'seconds' in parsed ? keeps(parsed.seconds) : '';
}

const keeps = (seconds: number) => (seconds === 0 ? 'no copies' : formatLongDuration(seconds));
