import { useId } from 'react';
import { durationInWords, durationText, parseDuration } from '../../../../shared/model/duration.ts';
import { useStoreSettings } from '../draft/use-store-settings.ts';

interface RetentionFieldProps {
  /** Empty: as long as the store keeps copies. */
  value: string;
  onChange: (text: string) => void;
  problem: string | null;
}

/** For how long what expired can be brought back [X4]; the store's own answer stands in the empty box. */
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
          placeholder={usual === null ? '' : usual === 0 ? '0' : durationText(usual)}
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
    return usual === null ? 'as the store keeps copies' : `${keeps(usual)}, the store’s default`;
  }
  const parsed = parseDuration(value);
  return 'seconds' in parsed ? keeps(parsed.seconds) : '';
}

const keeps = (seconds: number) => (seconds === 0 ? 'no copy is kept' : durationInWords(seconds));
