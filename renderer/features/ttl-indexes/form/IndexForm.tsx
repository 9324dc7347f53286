import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { sameReferenceTimes } from '../../../../shared/model/ttl-index.ts';
import { useIndexChoices } from '../../../api.ts';
import { chosenField } from '../draft/field-draft.ts';
import type { DraftProblems, IndexDraft, ReadDraft } from '../draft/index-draft.ts';
import { keepsOldDuration } from '../draft/index-name.ts';
import type { Place } from '../draft/refusals.ts';
import { isFieldUnknown } from '../preview/preview-figures.ts';
import type { PreviewState } from '../preview/use-preview.ts';
import { ActionChoice } from './ActionChoice.tsx';
import { DateAndTime } from './DateAndTime.tsx';
import { FieldChoice } from './FieldChoice.tsx';
import { FormatChoice } from './FormatChoice.tsx';
import type { Candidates } from './field-candidates.ts';
import classes from './index-form.module.css';
import { LifeChoice } from './LifeChoice.tsx';
import { LimitsChoice } from './LimitsChoice.tsx';
import { ParametersChoice } from './ParametersChoice.tsx';
import { ScheduleChoice } from './ScheduleChoice.tsx';
import { ExpressionField, FixedSource, SourceChoice } from './SourceChoice.tsx';
import { UnitChoice } from './UnitChoice.tsx';

export interface IndexFormProps {
  collection: string;
  draft: IndexDraft;
  read: ReadDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  candidates: Candidates | null;
  preview: PreviewState;
  /** The index to change; null: a new index is created. */
  before: TtlIndex | null;
  /** The name in use, or the suggested one, also while other input has problems. */
  name: string;
  hasNumbers: boolean;
  hasText: boolean;
  /** Errors of the last attempt, by control. */
  refusals: DraftProblems;
  /** Position of the mistake in the expression. */
  place: Place | null;
}

/** The inputs of an index. */
export function IndexForm(props: IndexFormProps) {
  const { collection, draft, read, onChange, before, refusals } = props;
  const id = useId();
  const choices = useIndexChoices();
  const keepsName =
    before !== null && read.source !== null && keepsOldDuration(before.name, before.source, read.source);
  // Errors of the engine concern the input last sent; newer input is checked here.
  const problems = { ...read.problems, ...refusals };
  const isOwn = draft.kind === 'field' && draft.life === 'own';
  const life = isOwn ? (draft.ttlField === '' ? null : problems.ttlField) : problems.expireAfter;
  return (
    <>
      <Question label={t`Expires by`}>
        {before === null ? (
          <Source {...props} />
        ) : before.source.kind === 'expression' ? (
          <ExpressionChange {...props} before={before} />
        ) : (
          <FixedSource source={before.source} />
        )}
      </Question>
      {draft.kind !== 'expression' && (
        <Question label={t`Expires after`} labelFor={`${id}-life`}>
          <LifeChoice
            id={`${id}-life`}
            draft={draft}
            onChange={onChange}
            candidates={props.candidates?.fields ?? []}
            problem={life ?? null}
            isFixed={before !== null}
          />
        </Question>
      )}
      <Question label={t`On expiry`}>
        <ActionChoice
          collection={collection}
          draft={draft}
          onChange={onChange}
          problems={problems}
          place={refusals.replacement === undefined ? null : props.place}
          fields={fieldsOf(props)}
        />
      </Question>
      <Question label={t`Name`} labelFor={`${id}-name`}>
        <TextInput
          id={`${id}-name`}
          className={classes.name}
          classNames={{ input: 'mono' }}
          value={choices.name ?? draft.name ?? props.name}
          readOnly={before !== null || choices.name !== null}
          description={keepsName && t`The name stays ${before.name}, although its duration changes.`}
          error={problems.name}
          onChange={event => onChange({ name: event.target.value === '' ? null : event.target.value })}
        />
      </Question>
      <Question label={t`Schedule`}>
        <ScheduleChoice draft={draft} onChange={onChange} problems={problems} />
      </Question>
      <Question label={t`Limits`}>
        <LimitsChoice draft={draft} onChange={onChange} problems={problems} />
      </Question>
      {choices.parameters.length > 0 && (
        <Question label={t`Parameters`}>
          <ParametersChoice
            draft={draft}
            offered={choices.parameters}
            onChange={onChange}
            problem={problems.parameters ?? null}
          />
        </Question>
      )}
    </>
  );
}

const fieldsOf = ({ candidates }: IndexFormProps) => candidates?.fields.map(({ field }) => field) ?? [];

function Source(props: IndexFormProps) {
  const { collection, draft, read, onChange, candidates, preview, refusals } = props;
  const counted = preview.isCounting ? null : preview.preview;
  const isUnknown = draft.field !== '' && counted !== null && isFieldUnknown(counted);
  const unknown = isUnknown
    ? t`No document of ${collection} has “${draft.field}”, so no document would expire. Check the spelling, or choose a field above.`
    : null;
  return (
    <SourceChoice
      draft={draft}
      onChange={onChange}
      problem={
        refusals.expression ?? (draft.expression === '' ? undefined : read.problems.expression) ?? null
      }
      place={refusals.expression === undefined ? null : props.place}
      fields={fieldsOf(props)}
    >
      <FieldChoice
        candidates={candidates?.fields ?? []}
        sampled={candidates?.sampled ?? 0}
        field={draft.field}
        problem={refusals.field ?? (draft.field === '' ? undefined : read.problems.field) ?? unknown}
        onChoose={field => onChange(chosenField(props, field))}
      />
      {props.hasNumbers && (
        <UnitChoice unit={draft.unit} preview={counted} onChange={unit => onChange({ unit })} />
      )}
      {props.hasText && (
        <FormatChoice
          draft={draft}
          onChange={onChange}
          problems={{ ...read.problems, ...refusals }}
          preview={counted}
        />
      )}
      <DateAndTime draft={draft} onChange={onChange} expressions={candidates?.expressions ?? []} />
    </SourceChoice>
  );
}

/** The expression of an existing index: the present expression stays in effect until the new one is built [D8]. */
function ExpressionChange(props: IndexFormProps & { before: TtlIndex }) {
  const { before, draft, read, onChange, refusals } = props;
  const { successor } = before;
  return (
    <div className={classes.source}>
      <ExpressionField
        fields={fieldsOf(props)}
        draft={draft}
        onChange={onChange}
        problem={refusals.expression ?? read.problems.expression ?? null}
        place={refusals.expression === undefined ? null : props.place}
      />
      {successor !== null && (
        <p className="hint wrap" role="status">{t`Building: the old expression is still in effect.`}</p>
      )}
      {successor === null && read.source !== null && !sameReferenceTimes(read.source, before.source) && (
        <p className="hint wrap">
          <Trans>The present expression stays in effect until this one is built.</Trans>
        </p>
      )}
    </div>
  );
}

function Question({ label, labelFor, children }: { label: string; labelFor?: string; children: ReactNode }) {
  return (
    <div className={classes.question}>
      {labelFor === undefined ? (
        <span className={classes.lab}>{label}</span>
      ) : (
        <label className={classes.lab} htmlFor={labelFor}>
          {label}
        </label>
      )}
      <div className="answer">{children}</div>
    </div>
  );
}
