import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Input, Radio } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { useIndexChoices } from '../../../api.ts';
import { formatCount } from '../../../i18n/format.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { formatLimit, typedNumber } from '../draft/limits-draft.ts';
import { drainWith } from '../preview/drain-time.ts';
import { formatDrain } from '../preview/preview-figures.ts';
import classes from './roll-out.module.css';
import { type RollOut, rateProblem } from './roll-out.ts';

interface RollOutChoiceProps {
  rollOut: RollOut;
  onChange: (rollOut: RollOut) => void;
  /** The definition, without the choice of a roll-out. */
  definition: ChosenDefinition;
  preview: Preview;
  /** Batch time of the store, ms, for an index without its own. */
  batchMs: number | undefined;
}

/** Choice of how documents due at once are removed: at once, at a rate, or after observing. */
export function RollOutChoice({ rollOut, onChange, definition, preview, batchMs }: RollOutChoiceProps) {
  const group = useId();
  const { schedules } = useIndexChoices();
  const { limits } = definition;
  const own = limits.removalsPerSecond ?? 0;
  const problem = rollOut.how === 'rate' ? rateProblem(rollOut.rate) : null;
  const rate = typedNumber(rollOut.rate);
  const ms = limits.batchMs ?? batchMs;
  const option = (how: RollOut['how']) => ({
    group,
    isChosen: rollOut.how === how,
    onChoose: () => onChange({ ...rollOut, how }),
  });
  return (
    <fieldset className={classes.rollOut}>
      <legend className="t-semi">
        <Trans>How should the {formatCount(preview.dueAtOnce)} be removed?</Trans>
      </legend>
      <div className={classes.options}>
        <Option
          {...option('as defined')}
          title={own > 0 ? t`As defined` : t`At once`}
          ends={doneIn(drainWith(preview, limits))}
        >
          {own > 0
            ? t`At most ${formatLimit('rate', own)}, its own limit.`
            : ms === undefined
              ? t`In batches, with pauses for readers.`
              : t`In batches of ${ms} ms, with pauses for readers.`}
        </Option>
        <Option
          {...option('rate')}
          title={t`At a rate`}
          ends={problem === null && rate > 0 ? doneIn((preview.dueAtOnce / rate) * 1000) : ''}
        >
          <Input.Wrapper
            error={problem}
            description={problem === null && t`The index keeps this limit until it is changed.`}
          >
            <span className="row">
              <Input
                size="xs"
                aria-label={t`Removals per second`}
                inputMode="decimal"
                value={rollOut.rate}
                error={problem !== null}
                onChange={event => onChange({ how: 'rate', rate: event.target.value })}
              />
              {t`a second, oldest first`}
            </span>
          </Input.Wrapper>
        </Option>
        {schedules.includes('observe') && (
          <Option {...option('observe')} title={t`Observe first`} ends={t`nothing removed`}>
            <Trans>
              Counts what is due, without hiding or removing it. Change to Exact when the counts are right.
            </Trans>
          </Option>
        )}
      </div>
    </fieldset>
  );
}

const doneIn = (ms: number | null) => (ms === null ? '' : t`done in ${formatDrain(ms)}`);

interface OptionProps {
  group: string;
  isChosen: boolean;
  onChoose: () => void;
  title: string;
  /** Time until all of them are removed. */
  ends: string;
  children: ReactNode;
}

function Option({ group, isChosen, onChoose, title, ends, children }: OptionProps) {
  return (
    <div className={`${classes.option} ${isChosen ? classes.chosen : ''}`}>
      <Radio name={group} checked={isChosen} onChange={onChoose} label={<b className="t-semi">{title}</b>} />
      <span className="t-12 t-3">{ends}</span>
      <div className={`t-2 ${classes.how}`}>{children}</div>
    </div>
  );
}
