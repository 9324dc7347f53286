import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete } from '@mantine/core';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { parseDuration } from '../../../../shared/model/duration.ts';
import { useIndexChoices } from '../../../api.ts';
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
  const { ownDurations } = useIndexChoices();
  if (draft.kind === 'field' && draft.life === 'own') return <OwnLife {...props} />;
  const atDate = (
    <button
      type="button"
      className="link"
      aria-pressed={isZero(draft)}
      onClick={() => onChange({ expireAfter: '0' })}
    >{t`expire at the date itself`}</button>
  );
  return (
    <>
      <DurationPicker
        id={id}
        label={t`Expires after`}
        isInline
        value={draft.expireAfter}
        presets={PRESETS}
        problem={problem}
        onChange={expireAfter => onChange({ expireAfter })}
        echo={<Life draft={draft} />}
      />
      {draft.kind === 'field' && (
        <p className="hint">
          {props.isFixed || !ownDurations ? (
            <Trans>Or {atDate}.</Trans>
          ) : (
            <Trans>
              Or{' '}
              <button type="button" className="link" onClick={() => onChange({ life: 'own' })}>
                duration from a field
              </button>
              , or {atDate}.
            </Trans>
          )}
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
          <Trans>
            seconds after <span className="mono">{draft.field === '' ? '…' : draft.field}</span>
          </Trans>
        }
        error={problem}
        onChange={ttlField => onChange({ ttlField })}
      />
      <p className="hint wrap">
        <Trans>
          Each document has its own duration. If it is missing, negative or not a number, the document never
          expires.
        </Trans>{' '}
        {!isFixed && (
          <Trans>
            Or{' '}
            <button type="button" className="link" onClick={() => onChange({ life: 'fixed' })}>
              one duration for all
            </button>
            .
          </Trans>
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
  const from =
    draft.kind === 'field' ? (
      <span className="mono">{draft.field === '' ? '…' : draft.field}</span>
    ) : (
      t`the last write`
    );
  return (
    <span className="t-2">
      {parsed.seconds === 0 ? (
        <Trans>
          <b>Exactly</b> at {from}
        </Trans>
      ) : (
        <Trans>
          <b>{formatLongDuration(parsed.seconds)}</b> after {from}
        </Trans>
      )}
    </span>
  );
}
