import { type ReactNode, useId } from 'react';
import type { FieldCandidate, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { durationInWords, parseDuration } from '../../../shared/model/duration.ts';
import { DurationPicker } from '../../components/DurationPicker.tsx';
import { chosenField } from './chosenField.ts';
import { FieldChoice } from './FieldChoice.tsx';
import type { IndexDraft, ReadDraft } from './indexDraft.ts';
import { keepsOldDuration } from './indexName.ts';
import { isFieldUnknown } from './previewWords.ts';
import { ScheduleChoice } from './ScheduleChoice.tsx';
import { UnitChoice } from './UnitChoice.tsx';
import type { PreviewState } from './usePreview.ts';

const PRESETS = ['1h', '1d', '7d', '30d', '90d', '1y'];

export interface IndexFormProps {
  collection: string;
  draft: IndexDraft;
  read: ReadDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  candidates: { sampled: number; fields: readonly FieldCandidate[] } | null;
  preview: PreviewState;
  /** The index that is changed; null where one is created. */
  before: TtlIndex | null;
  /** The name as it would be, also while the rest cannot be read. */
  name: string;
  hasNumbers: boolean;
  /** What the engine said of the last try, by the control it belongs to. */
  refusals: Partial<Record<'field' | 'expireAfter' | 'name', string>>;
}

/** The questions, one below the other. */
export function IndexForm(props: IndexFormProps) {
  const { collection, draft, read, onChange, candidates, preview, before, refusals } = props;
  const id = useId();
  const counted = preview.isCounting ? null : preview.preview;
  const isUnknown = draft.field !== '' && counted !== null && isFieldUnknown(counted);
  const unknown = isUnknown
    ? `No document of ${collection} has “${draft.field}”, so nothing would expire. Check the spelling, or choose a field above.`
    : null;
  const isTouched = draft.field !== '';
  const keepsName =
    before !== null && read.source !== null && keepsOldDuration(before.name, before.source, read.source);
  return (
    <>
      <Question label="Expires by">
        <FieldChoice
          candidates={candidates?.fields ?? []}
          sampled={candidates?.sampled ?? 0}
          field={draft.field}
          problem={refusals.field ?? (isTouched ? read.problems.field : null) ?? unknown}
          onChoose={field => onChange(chosenField(props, field))}
        />
        {props.hasNumbers && (
          <UnitChoice unit={draft.unit} preview={counted} onChange={unit => onChange({ unit })} />
        )}
      </Question>
      <Question label="Lives for" labelFor={`${id}-life`}>
        <DurationPicker
          id={`${id}-life`}
          label="Lives for"
          isInline
          value={draft.expireAfter}
          presets={PRESETS}
          problem={refusals.expireAfter ?? read.problems.expireAfter}
          onChange={expireAfter => onChange({ expireAfter })}
          echo={<Life draft={draft} />}
        />
        <p className="hint">
          Or{' '}
          <button
            type="button"
            className="link"
            aria-pressed={isZero(draft)}
            onClick={() => onChange({ expireAfter: '0' })}
          >
            expire at the date itself
          </button>
          , where the field holds each document’s own deadline.
        </p>
      </Question>
      <Question label="On expiry">
        <span className="on-expiry">
          <b className="t-semi">Delete</b>{' '}
          <span className="t-2">the document leaves {collection} for good</span>
        </span>
      </Question>
      <Question label="Name" labelFor={`${id}-name`}>
        <input
          id={`${id}-name`}
          className="input mono name"
          value={draft.name ?? props.name}
          readOnly={before !== null}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={(refusals.name ?? read.problems.name) !== null}
          aria-describedby={`${id}-name-problem`}
          onChange={event => onChange({ name: event.target.value === '' ? null : event.target.value })}
        />
        {keepsName && (
          <p className="hint wrap">
            The name stays {before.name}: the index follows what is above, whatever its name says.
          </p>
        )}
        <p id={`${id}-name-problem`} className="problem" aria-live="polite">
          {refusals.name ?? read.problems.name}
        </p>
      </Question>
      <Question label="Schedule">
        <ScheduleChoice draft={draft} onChange={onChange} problem={read.problems.every} />
      </Question>
    </>
  );
}

function isZero(draft: IndexDraft): boolean {
  const parsed = parseDuration(draft.expireAfter);
  return 'seconds' in parsed && parsed.seconds === 0;
}

function Life({ draft }: { draft: IndexDraft }) {
  const parsed = parseDuration(draft.expireAfter);
  if ('problem' in parsed) return null;
  return (
    <span className="t-2">
      <b>{parsed.seconds === 0 ? 'Exactly' : durationInWords(parsed.seconds)}</b>{' '}
      {parsed.seconds === 0 ? 'at' : 'after'}{' '}
      <span className="mono">{draft.field === '' ? '…' : draft.field}</span>
    </span>
  );
}

function Question({ label, labelFor, children }: { label: string; labelFor?: string; children: ReactNode }) {
  return (
    <div className="question">
      {labelFor === undefined ? (
        <span className="lab">{label}</span>
      ) : (
        <label className="lab" htmlFor={labelFor}>
          {label}
        </label>
      )}
      <div className="answer">{children}</div>
    </div>
  );
}
