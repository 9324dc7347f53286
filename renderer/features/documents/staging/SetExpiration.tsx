import { plural, t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { DEADLINE_CONDITIONS, type DeadlineCondition } from '../../../../shared/model/deadline-condition.ts';
import { useMissing } from '../../../api.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { Popover } from '../../../components/overlays/Popover.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { now, useAtTick } from '../../../components/time/clock.ts';
import { AfterField, AtField } from '../../../components/time/ExpirationFields.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { draftOf, readDraft } from '../expiration/expiration-draft.ts';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { effectOf, formatEffect, NOTHING_STAGED, stage } from './staged-edits.ts';

interface SetExpirationProps {
  /** `matching`: every matching document, which cannot be staged. */
  selected: Selected<DocumentRecord> | 'matching';
  isOpen: boolean;
  onOpen: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  shortcut?: string;
}

const formatTitle = (selected: Selected<DocumentRecord> | 'matching') =>
  selected === 'matching'
    ? t`Set expiration of all matching`
    : t`Set expiration of ${plural(selected.size, { one: '# document', other: '# documents' })}`;

/**
 * Form that sets an expiration after a duration, at a time or never, or clears it. The edits are staged, not written
 * [E1].
 */
export function SetExpiration({ selected, isOpen, onOpen, onStage, shortcut }: SetExpirationProps) {
  return (
    <Popover
      label={formatTitle(selected)}
      width={392}
      opened={isOpen}
      onChange={onOpen}
      target={
        <Button
          small
          icon="glass"
          {...(shortcut !== undefined && { shortcut })}
          className={classes.accented}
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >{t`Set expiration…`}</Button>
      }
    >
      <SetExpirationForm
        selected={selected}
        onClose={() => onOpen(false)}
        onStage={edit => {
          onStage(edit);
          onOpen(false);
        }}
      />
    </Popover>
  );
}

const KINDS = [
  { value: 'after', label: t`After` },
  { value: 'at', label: t`At` },
  { value: 'never', label: t`Never` },
  { value: 'clear', label: t`Clear` },
] as const;

/** Without pins, *never* is the same as *clear*. */
const KINDS_WITHOUT_PINS = KINDS.filter(({ value }) => value !== 'clear');

const ALL = 'all';

/** The words of Redis are in brackets, for those who look for them. */
const CONDITIONS: { value: DeadlineCondition | typeof ALL; label: string }[] = [
  { value: ALL, label: t`All of them` },
  { value: 'NX', label: t`Only those without a deadline (NX)` },
  { value: 'XX', label: t`Only those with a deadline (XX)` },
  { value: 'GT', label: t`Only where it becomes later (GT)` },
  { value: 'LT', label: t`Only where it becomes earlier (LT)` },
];

interface FormProps {
  selected: Selected<DocumentRecord> | 'matching';
  onClose: () => void;
  onStage: (edit: ExpirationEdit) => void;
}

function SetExpirationForm({ selected, onClose, onStage }: FormProps) {
  const pins = useMissing('pin') === null;
  const isConditional = useMissing('conditionalExpiration') === null;
  const [draft, setDraft] = useState(draftOf(now()));
  // Read each second, because a time that passes while the form is open becomes invalid.
  const readAt = useAtTick(at => Math.floor(at / 1000) * 1000);
  const read = readDraft(draft, readAt);
  const problem = 'problem' in read ? read.problem : null;
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if ('edit' in read) onStage(read.edit);
      }}
    >
      <div className={`row ${classes.setxH}`}>
        <b className="t-semi grow">{formatTitle(selected)}</b>
        <IconButton icon="x" label={t`Close`} onClick={onClose} />
      </div>
      <Segmented
        label={t`Expires`}
        large
        fill
        value={draft.kind}
        segments={pins ? KINDS : KINDS_WITHOUT_PINS}
        onChange={kind => setDraft({ ...draft, kind })}
      />
      {draft.kind === 'after' && (
        <AfterField
          text={draft.after}
          problem={problem}
          readAt={readAt}
          onChange={after => setDraft({ ...draft, after })}
        />
      )}
      {draft.kind === 'at' && (
        <AtField
          at={draft.at}
          problem={problem}
          readAt={readAt}
          onChange={at => setDraft({ ...draft, at })}
        />
      )}
      {isConditional && (draft.kind === 'after' || draft.kind === 'at') && (
        <Select
          className={classes.setxOnly}
          label={t`Applies to`}
          value={draft.only ?? ALL}
          data={CONDITIONS}
          comboboxProps={{ withinPortal: false }}
          onChange={value =>
            setDraft({ ...draft, only: DEADLINE_CONDITIONS.find(one => one === value) ?? null })
          }
        />
      )}
      <Note role="status" className={classes.setxNote}>
        {'edit' in read ? (
          <Consequence selected={selected} edit={read.edit} readAt={readAt} />
        ) : (
          t`Incomplete.`
        )}
      </Note>
      <div className={`row ${classes.setxF}`}>
        <span className="t-12 t-3 grow">
          {selected === 'matching' ? t`Confirmed before it is written.` : t`Written when applied.`}
        </span>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button variant="primary" type="submit" disabled={!('edit' in read)}>
          {selected === 'matching' ? t`Review…` : t`Stage ${formatCount(selected.size)}`}
        </Button>
      </div>
    </form>
  );
}

interface ConsequenceProps {
  selected: Selected<DocumentRecord> | 'matching';
  edit: ExpirationEdit;
  readAt: number;
}

function Consequence({ selected, edit, readAt }: ConsequenceProps) {
  const hasIndexes = useMissing('ttlIndexes') === null;
  // The effect is known only for documents in memory.
  const effect =
    selected === 'matching'
      ? ''
      : formatEffect(effectOf(stage(NOTHING_STAGED, selected.values(), edit).values(), readAt));
  switch (edit.kind) {
    case 'clear':
      return t`Clears explicit expirations: the TTL indexes decide again, and documents that are due by them expire at once.`;
    case 'never':
      return `${effect} ${t`They never expire until cleared; they can still be deleted.`}`.trim();
    default:
      if (!hasIndexes) return effect === '' ? t`The exact effect is shown next.` : effect;
      return `${effect} ${t`This outranks every TTL index until cleared.`}`.trim();
  }
}
