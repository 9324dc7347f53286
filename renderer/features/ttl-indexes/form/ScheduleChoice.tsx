import { t } from '@lingui/core/macro';
import { Autocomplete, Input } from '@mantine/core';
import { useId, useState } from 'react';
import { parseDuration } from '../../../../shared/model/duration.ts';
import { useIndexChoices } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { formatLongDuration } from '../../../i18n/format.ts';
import type { DraftProblems, IndexDraft } from '../draft/index-draft.ts';
import classes from './index-form.module.css';

const MODES = [
  { value: 'exact', label: t`Exact` },
  { value: 'every', label: t`Every…` },
  { value: 'cron', label: t`Cron…` },
  { value: 'observe', label: t`Observe` },
] as const;

interface ScheduleChoiceProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  problems: DraftProblems;
}

/** The schedule of the reaper for this index [R1]. Folded while it is the default. */
export function ScheduleChoice({ draft, onChange, problems }: ScheduleChoiceProps) {
  const id = useId();
  const problem = problems.every ?? (draft.cron === '' ? undefined : problems.cron) ?? null;
  const [isOpened, setOpen] = useState(draft.mode !== 'exact' || problem !== null);
  const isOpen = isOpened || problem !== null;
  const { schedules } = useIndexChoices();
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
        <span className="ell">{inBrief(draft)}</span>
      </Button>
      <div id={id} hidden={!isOpen} className={classes.folded}>
        <Input.Wrapper error={problem} description={problem === null && meaning(draft)}>
          <div className={`row ${classes.modeRow}`}>
            <Segmented
              label={t`Schedule`}
              value={draft.mode}
              segments={MODES.filter(({ value }) => schedules.includes(value))}
              onChange={mode => onChange({ mode })}
            />
            {draft.mode === 'every' && (
              <Input
                className={classes.every}
                size="xs"
                aria-label={t`Interval`}
                value={draft.every}
                error={problem !== null}
                onChange={event => onChange({ every: event.target.value })}
              />
            )}
          </div>
          {draft.mode === 'cron' && (
            <div className={`row ${classes.cronRow}`}>
              <Cron draft={draft} onChange={onChange} isWrong={problem !== null} />
            </div>
          )}
        </Input.Wrapper>
      </div>
    </>
  );
}

interface CronProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  isWrong: boolean;
}

function Cron({ draft, onChange, isWrong }: CronProps) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Input
        className={classes.cron}
        classNames={{ input: 'mono' }}
        size="xs"
        aria-label={t`Crontab line`}
        placeholder="0 3 * * *"
        value={draft.cron}
        error={isWrong}
        onChange={event => onChange({ cron: event.target.value })}
      />
      <Autocomplete
        className={classes.zone}
        size="xs"
        aria-label={t`Time zone`}
        value={draft.timeZone}
        data={here === 'UTC' ? ['UTC'] : ['UTC', here]}
        onChange={timeZone => onChange({ timeZone })}
      />
    </>
  );
}

function inBrief({ mode, every, cron }: IndexDraft): string {
  switch (mode) {
    case 'exact':
      return t`Exact: at each deadline`;
    case 'every':
      return t`Every ${every}: what is due waits until then`;
    case 'cron':
      return cron.trim() === ''
        ? t`Cron: what is due waits until then`
        : t`Cron ${cron.trim()}: what is due waits until then`;
    case 'observe':
      return t`Observe: counts only`;
  }
}

function meaning({ mode, every, action }: IndexDraft): string {
  const parsed = parseDuration(every);
  const meanwhile =
    action === 'delete' || action === 'move'
      ? t`Until then what is due stays stored.`
      : t`Until then what is due is unchanged.`;
  switch (mode) {
    case 'exact':
      return t`Each is removed at its deadline.`;
    case 'every': {
      const interval = 'seconds' in parsed ? formatLongDuration(parsed.seconds) : '…';
      return t`Removes what is due every ${interval}. ${meanwhile}`;
    }
    case 'cron':
      return t`Minute, hour, day, month, weekday: 0 3 * * * is 03:00 each day. ${meanwhile}`;
    case 'observe':
      return t`Counts what is due without hiding or removing it, as a first step of a roll-out. Change to Exact when the counts are right.`;
  }
}
