import { Autocomplete } from '@mantine/core';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { parseDuration } from '../../../../shared/model/duration.ts';
import fields from '../../../components/controls/fields.module.css';
import { DurationPicker } from '../../../components/time/DurationPicker.tsx';
import { formatLongDuration } from '../../../i18n/format.ts';
import type { IndexDraft } from '../draft/index-draft.ts';
import classes from './index-form.module.css';

const PRESETS = ['1h', '1d', '7d', '30d', '90d', '1y'];

interface LifeChoiceProps {
  /** Id of the input, for the label of the question. */
  id: string;
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  candidates: readonly FieldCandidate[];
  /** Problems in the duration, or in the field that holds it. */
  problem: string | null;
  /** The choice between a duration and a field is fixed with the source. */
  isFixed: boolean;
}

/** The time between reference time and deadline: a duration, a field that holds one, or none [D1, D2]. */
export function LifeChoice(props: LifeChoiceProps) {
  const { id, draft, onChange, problem } = props;
  if (draft.kind === 'field' && draft.life === 'own') return <OwnLife {...props} />;
  return (
    <>
      <DurationPicker
        id={id}
        label="Lives for"
        isInline
        value={draft.expireAfter}
        presets={PRESETS}
        problem={problem}
        onChange={expireAfter => onChange({ expireAfter })}
        echo={<Life draft={draft} />}
      />
      {draft.kind === 'field' && (
        <p className="hint">
          Or{' '}
          {!props.isFixed && (
            <>
              <button type="button" className="link" onClick={() => onChange({ life: 'own' })}>
                duration from a field
              </button>
              , or{' '}
            </>
          )}
          <button
            type="button"
            className="link"
            aria-pressed={isZero(draft)}
            onClick={() => onChange({ expireAfter: '0' })}
          >
            expire at the date itself
          </button>
          .
        </p>
      )}
    </>
  );
}

function OwnLife({ id, draft, onChange, candidates, problem, isFixed }: LifeChoiceProps) {
  return (
    <>
      <Autocomplete
        id={id}
        className={`${fields.inline} ${classes.ownLife}`}
        classNames={{ input: 'mono' }}
        placeholder="ttl"
        value={draft.ttlField}
        readOnly={isFixed}
        data={candidates
          .filter(({ types, field }) => types.includes('number') && field !== draft.field)
          .map(({ field }) => field)}
        description={
          <>
            seconds after <span className="mono">{draft.field === '' ? '…' : draft.field}</span>
          </>
        }
        error={problem}
        onChange={ttlField => onChange({ ttlField })}
      />
      <p className="hint wrap">
        Each document has its own duration. If it is missing, negative or not a number, the document never
        expires.{' '}
        {!isFixed && (
          <>
            Or{' '}
            <button type="button" className="link" onClick={() => onChange({ life: 'fixed' })}>
              one duration for all
            </button>
            .
          </>
        )}
      </p>
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
      <b>{parsed.seconds === 0 ? 'Exactly' : formatLongDuration(parsed.seconds)}</b>{' '}
      {parsed.seconds === 0 ? 'at' : 'after'}{' '}
      {draft.kind === 'field' ? (
        <span className="mono">{draft.field === '' ? '…' : draft.field}</span>
      ) : (
        'the last write'
      )}
    </span>
  );
}
