import { useId, useState } from 'react';
import { durationInWords, parseDuration } from '../../../shared/model/duration.ts';
import { Icon } from '../../components/Icon.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import type { IndexDraft } from './indexDraft.ts';

const MODES = [
  { value: 'exact', label: 'Exact' },
  { value: 'every', label: 'Every…' },
] as const;

interface ScheduleChoiceProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  problem: string | null;
}

/** When the reaper looks [R1]. Folded while it is as most people want it. */
export function ScheduleChoice({ draft, onChange, problem }: ScheduleChoiceProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(draft.mode !== 'exact' || problem !== null);
  const parsed = parseDuration(draft.every);
  return (
    <>
      <button
        type="button"
        className="btn ghost fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size={12} />
        {draft.mode === 'exact'
          ? 'Exact: at each deadline, no rate limit'
          : `Every ${draft.every}: what is due waits until then`}
      </button>
      <div id={id} hidden={!isOpen} className="folded">
        <div className="row">
          <Segmented
            label="Schedule"
            value={draft.mode}
            segments={MODES}
            onChange={mode => onChange({ mode })}
          />
          {draft.mode === 'every' && (
            <input
              className="input s every"
              aria-label="Interval"
              value={draft.every}
              spellCheck={false}
              autoComplete="off"
              aria-invalid={problem !== null}
              aria-describedby={`${id}-echo`}
              onChange={event => onChange({ every: event.target.value })}
            />
          )}
        </div>
        <p id={`${id}-echo`} className={problem === null ? 'hint' : 'problem'} aria-live="polite">
          {problem ??
            (draft.mode === 'exact'
              ? 'The reaper sleeps until the next deadline, and a write that brings an earlier one wakes it.'
              : `The reaper looks every ${'seconds' in parsed ? durationInWords(parsed.seconds) : '…'}. Until then due documents are hidden, not removed.`)}
        </p>
      </div>
    </>
  );
}
