import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Popover } from '../../../components/overlays/Popover.tsx';
import { now, useAtTick, useZone } from '../../../components/time/clock.ts';
import { TimeSpanForm } from '../../../components/time/TimeSpanForm.tsx';
import { formatInstant } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import type { DocumentsQuery } from '../list/documents-query.ts';

const MINUTE = 60_000;
const PRESETS: readonly [label: string, ms: number][] = [
  [t`Next minute`, MINUTE],
  [t`Next hour`, 60 * MINUTE],
  [t`Next day`, 1_440 * MINUTE],
  [t`Next 30 days`, 43_200 * MINUTE],
];

interface DeadlineFilterProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
}

/** Filters by deadline. */
export function DeadlineFilter({ query, onChange }: DeadlineFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const isSet = query.dueFrom !== null || query.dueTo !== null;
  const clear = () => onChange({ dueFrom: null, dueTo: null });
  return (
    <span className={`row ${classes.deadlineFilter}`}>
      <Popover
        label={t`Deadline window`}
        width={300}
        opened={isOpen}
        onChange={setOpen}
        target={
          <Button aria-expanded={isOpen} aria-pressed={isSet} onClick={() => setOpen(!isOpen)}>
            <Trans>
              Deadline: <WindowText query={query} />
            </Trans>
          </Button>
        }
      >
        <TimeSpanForm
          from={query.dueFrom}
          to={query.dueTo}
          presets={PRESETS.map(([label, ms]) => [label, () => ({ from: now(), to: now() + ms })])}
          onChange={({ from, to }) => {
            onChange({ dueFrom: from, dueTo: to });
            setOpen(false);
          }}
        />
      </Popover>
      {isSet && <IconButton icon="x" label={t`Any deadline`} onClick={clear} />}
    </span>
  );
}

function WindowText({ query: { dueFrom, dueTo } }: { query: DocumentsQuery }) {
  const [zone] = useZone();
  return useAtTick(at => {
    const start = dueFrom === null ? null : formatInstant(dueFrom, at, zone);
    const end = dueTo === null ? null : formatInstant(dueTo, at, zone);
    if (start === null) return end === null ? t`any time` : t`before ${end}`;
    return end === null ? t`from ${start}` : t`${start} to ${end}`;
  });
}
