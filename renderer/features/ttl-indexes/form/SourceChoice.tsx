import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useIndexChoices } from '../../../api.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { formatReading, formatUnit } from '../../../i18n/format-source.ts';
import type { IndexDraft } from '../draft/index-draft.ts';
import type { Place } from '../draft/refusals.ts';
import { CodeField } from './CodeField.tsx';
import classes from './index-form.module.css';

const KINDS = [
  { value: 'field', label: t`A date field` },
  { value: 'lastModified', label: t`The last write` },
  { value: 'expression', label: t`An expression` },
] as const;

interface SourceChoiceProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  /** The problem in the expression, and its position. */
  problem: string | null;
  place: Place | null;
  /** Fields of the collection. */
  fields: readonly string[];
  /** Date fields found in the data. */
  children: ReactNode;
}

/** The source of the reference time [D1, D7, D8]. */
export function SourceChoice({ draft, onChange, problem, place, fields, children }: SourceChoiceProps) {
  const { sources } = useIndexChoices();
  return (
    <>
      {sources.length > 1 && (
        <Segmented
          label={t`Source`}
          large
          fill
          value={draft.kind}
          segments={KINDS.filter(({ value }) => sources.includes(value))}
          onChange={kind => onChange({ kind })}
        />
      )}
      <div className={classes.source}>
        {draft.kind === 'field' && children}
        {draft.kind === 'lastModified' && (
          <p className="hint wrap">
            <Trans>
              The time since the document was last written. Each write, patch or replacement restarts it;
              setting an expiration by hand does not.
            </Trans>
          </p>
        )}
        {draft.kind === 'expression' && <ExpressionField {...{ draft, onChange, problem, place, fields }} />}
      </div>
    </>
  );
}

/** The expression of a new or a changed index [D8]. */
export function ExpressionField({
  draft,
  onChange,
  problem,
  place,
  fields,
}: Omit<SourceChoiceProps, 'children'>) {
  const { expressions } = useIndexChoices();
  if (expressions === 'sql') return <SqlExpression {...{ draft, onChange, problem }} />;
  return (
    <CodeField
      language="cel"
      label={t`Expression`}
      fields={fields}
      value={draft.expression}
      onChange={expression => onChange({ expression })}
      problem={problem}
      place={place}
      placeholder={'timestamp(doc.createdAt) + duration("10m")'}
      hint={
        <Trans>
          CEL over <span className="mono">doc</span> and <span className="mono">updatedAt</span>. It returns
          the deadline, or <span className="mono">null</span> for never. Example:{' '}
          <Example code={'updatedAt + duration(doc.plan == "free" ? "24h" : "720h")'} {...{ onChange }} />
        </Trans>
      }
    />
  );
}

/** An expression of a database that has SQL, which the server itself judges. */
function SqlExpression({
  draft,
  onChange,
  problem,
}: Pick<SourceChoiceProps, 'draft' | 'onChange' | 'problem'>) {
  return (
    <Textarea
      classNames={{ input: 'mono' }}
      autosize
      minRows={2}
      spellCheck={false}
      aria-label={t`Expression`}
      value={draft.expression}
      error={problem}
      description={
        <Trans>
          SQL over the columns of a row. It returns the deadline as a timestamp with time zone, or NULL for
          never. Example:{' '}
          <Example
            code={"(created_at AT TIME ZONE 'UTC' + INTERVAL '30 days') AT TIME ZONE 'UTC'"}
            {...{ onChange }}
          />
        </Trans>
      }
      onChange={event => onChange({ expression: event.target.value })}
    />
  );
}

function Example({ code, onChange }: { code: string; onChange: SourceChoiceProps['onChange'] }) {
  return (
    <button type="button" className="link mono" onClick={() => onChange({ expression: code })}>
      {code}
    </button>
  );
}

/** The source cannot be changed, because every document was indexed by it; the duration can. */
export function FixedSource({ source }: Pick<TtlIndex, 'source'>) {
  return (
    <div className={classes.fixedSource}>
      {source.kind === 'field' && (
        <p>
          <span className="mono">{source.field}</span>
          <span className="t-2">
            <Trans>, {formatReading(source) ?? formatUnit(source.unit)}</Trans>
          </span>
        </p>
      )}
      {source.kind === 'lastModified' && <p>{t`The last write`}</p>}
      <p className="hint wrap">
        <Trans>The source of an index cannot be changed. Create another index, then drop this one.</Trans>
      </p>
    </div>
  );
}
