import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Settings } from '../../../../shared/contract/settings.ts';
import { useIndexChoices, useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import fields from '../../../components/controls/fields.module.css';
import { formatRecordsInSentence } from '../../../i18n/format-engine-words.ts';
import { formatList } from '../../../i18n/sentence.ts';
import type { DraftProblems, IndexDraft } from '../draft/index-draft.ts';
import {
  formatLimit,
  LIMIT_CONTROLS,
  LIMITS,
  type LimitControl,
  limitsInBrief,
  readableLimits,
  readLimits,
  typedNumber,
} from '../draft/limits-draft.ts';
import { useStoreSettings } from '../draft/use-store-settings.ts';
import classes from './index-form.module.css';

interface LimitsChoiceProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  problems: DraftProblems;
}

/** The limits of an index [R3]. Folded while the store's defaults apply; the limits in effect are always shown. */
export function LimitsChoice({ draft, onChange, problems }: LimitsChoiceProps) {
  const id = useId();
  const defaults = useStoreSettings();
  const { limits } = useIndexChoices();
  const read = readLimits(draft);
  const isWrong = 'problems' in read;
  const [isOpened, setOpen] = useState(LIMIT_CONTROLS.some(control => draft[control] !== ''));
  const isOpen = isOpened || isWrong;
  return (
    <>
      <Button
        className={classes.fold}
        variant="ghost"
        icon={isOpen ? 'down' : 'right'}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="ell">{limitsInBrief(readableLimits(draft), defaults, limits)}</span>
      </Button>
      <div id={id} hidden={!isOpen} className={`${classes.folded} ${classes.limits}`}>
        {LIMIT_CONTROLS.filter(control => limits.includes(LIMITS[control].name)).map(control => (
          <Limit
            key={control}
            control={control}
            text={draft[control]}
            problem={problems[control] ?? null}
            usual={usualOf(control, defaults)}
            onChange={text => onChange({ [control]: text })}
          />
        ))}
        <p className="hint wrap">
          <Trans>In effect from the next batch on. Empty limits use the store’s default.</Trans>
        </p>
      </div>
    </>
  );
}

const usualOf = (control: LimitControl, defaults: Settings | undefined): number | null =>
  defaults?.[LIMITS[control].name] ?? null;

interface LimitProps {
  control: LimitControl;
  text: string;
  problem: string | null;
  /** The store's default; undefined until read. */
  usual: number | null;
  onChange: (text: string) => void;
}

function Limit({ control, text, problem, usual, onChange }: LimitProps) {
  const id = useId();
  const words = useWords();
  const { label } = LIMITS[control];
  const unit = control === 'batchSize' ? formatRecordsInSentence(words) : LIMITS[control].unit;
  const isOwn = text.trim() !== '';
  const meaning = isOwn ? formatZero(control, text) : formatUsual(control, usual);
  const more = problem === null ? meaning : '';
  return (
    <div className={classes.limit}>
      <TextInput
        id={id}
        className={fields.inline ?? ''}
        size="xs"
        label={label}
        inputMode="decimal"
        value={text}
        placeholder={usual === null ? '' : String(usual)}
        description={more === '' ? unit : formatList([unit, more])}
        error={problem}
        onChange={event => onChange(event.target.value)}
      />
      {isOwn && (
        <Button
          small
          variant="ghost"
          icon="undo"
          title={usual === null ? undefined : t`The store’s default: ${formatLimit(control, usual)}`}
          aria-label={t`${label}: use the default`}
          onClick={() => {
            onChange('');
            document.getElementById(id)?.focus();
          }}
        >{t`Use the default`}</Button>
      )}
    </div>
  );
}

const formatUsual = (control: LimitControl, usual: number | null): string =>
  usual === 0 ? t`${formatLimit(control, usual)}, the store’s default` : t`the store’s default`;

/** The meaning of 0 is shown as text. */
function formatZero(control: LimitControl, text: string): string {
  return typedNumber(text) === 0 ? (LIMITS[control].zero ?? '') : '';
}
