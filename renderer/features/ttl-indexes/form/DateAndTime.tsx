import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ExpressionCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { parseDuration } from '../../../../shared/model/duration.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import type { IndexDraft } from '../draft/index-draft.ts';
import classes from './format-choice.module.css';

interface DateAndTimeProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  expressions: readonly ExpressionCandidate[];
}

/** Offers an expression that reads the time of day from another field, together with the chosen date [D8]. */
export function DateAndTime({ draft, onChange, expressions }: DateAndTimeProps) {
  const found = expressions.find(({ fields }) => fields.includes(draft.field.trim()));
  const [date, time] = found?.fields ?? [];
  if (found === undefined) return null;
  return (
    <Note
      icon="info"
      className={classes.note}
      action={
        <Button
          small
          onClick={() => onChange({ kind: 'expression', expression: withDuration(found.expression, draft) })}
        >{t`Read both by an expression`}</Button>
      }
    >
      <Trans>
        <span className="mono">{date}</span> holds the date, <span className="mono">{time}</span> the time of
        day, read as UTC.
      </Trans>{' '}
      {found.doubt === 'year' && t`Years of two digits are read as 1970 to 2069.`}
      {found.doubt === 'order' && t`The order of day and month is not certain.`}
    </Note>
  );
}

/** An expression gives the deadline itself, so the duration of the form is added in the expression. */
function withDuration(expression: string, { expireAfter }: IndexDraft): string {
  const parsed = parseDuration(expireAfter);
  if ('problem' in parsed || parsed.seconds === 0) return expression;
  const days = parsed.seconds / 86_400;
  return `${expression} + duration("${Number.isInteger(days) ? `${days}d` : `${parsed.seconds}s`}")`;
}
