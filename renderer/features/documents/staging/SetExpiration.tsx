import { useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { Popover } from '../../../components/overlays/Popover.tsx';
import { now, useAtTick } from '../../../components/time/clock.ts';
import { AfterField, AtField } from '../../../components/time/ExpirationFields.tsx';
import { draftOf, readDraft } from '../expiration/expiration-draft.ts';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { effectInWords, effectOf, NOTHING_STAGED, stage } from './staged-edits.ts';

interface SetExpirationProps {
  /** `matching`: all that the list holds, which was not read and so cannot be staged. */
  chosen: Selected<DocumentRecord> | 'matching';
  isOpen: boolean;
  onOpen: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  shortcut?: string;
}

const countOf = (chosen: Selected<DocumentRecord> | 'matching') =>
  chosen === 'matching'
    ? 'all matching'
    : `${formatCount(chosen.size)} document${chosen.size === 1 ? '' : 's'}`;

/** After a duration, at a moment, never, or cleared: staged, not written [E1]. */
export function SetExpiration({ chosen, isOpen, onOpen, onStage, shortcut }: SetExpirationProps) {
  return (
    <Popover
      label={`Set expiration of ${countOf(chosen)}`}
      width={392}
      opened={isOpen}
      onChange={onOpen}
      target={
        <Button
          small
          icon="glass"
          {...(shortcut !== undefined && { shortcut })}
          className="accented"
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          Set expiration…
        </Button>
      }
    >
      <SetExpirationForm
        chosen={chosen}
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
  { value: 'after', label: 'After' },
  { value: 'at', label: 'At' },
  { value: 'never', label: 'Never' },
  { value: 'clear', label: 'Clear' },
] as const;

interface FormProps {
  chosen: Selected<DocumentRecord> | 'matching';
  onClose: () => void;
  onStage: (edit: ExpirationEdit) => void;
}

function SetExpirationForm({ chosen, onClose, onStage }: FormProps) {
  const [draft, setDraft] = useState(draftOf(now()));
  // Read each second: a moment that passes while the form is open is no longer one to choose.
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
      <div className="row setx-h">
        <b className="t-semi grow">Set expiration of {countOf(chosen)}</b>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </div>
      <Segmented
        label="Expires"
        large
        fill
        value={draft.kind}
        segments={KINDS}
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
      <div className="note setx-note">
        <Icon name="info" />
        <span className="grow" role="status">
          {'edit' in read ? (
            <Consequence chosen={chosen} edit={read.edit} readAt={readAt} />
          ) : (
            'Nothing to stage yet.'
          )}
        </span>
      </div>
      <div className="row setx-f">
        <span className="t-12 t-3 grow">
          {chosen === 'matching'
            ? 'Shown once more before it is written.'
            : 'Staged first, written when applied.'}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" disabled={!('edit' in read)}>
          {chosen === 'matching' ? 'Review…' : `Stage ${formatCount(chosen.size)}`}
        </Button>
      </div>
    </form>
  );
}

interface ConsequenceProps {
  chosen: Selected<DocumentRecord> | 'matching';
  edit: ExpirationEdit;
  readAt: number;
}

function Consequence({ chosen, edit, readAt }: ConsequenceProps) {
  // Who lives longer and who shorter is known of those that were read.
  const effect =
    chosen === 'matching'
      ? ''
      : `${effectInWords(effectOf(stage(NOTHING_STAGED, chosen.values(), edit).values(), readAt))} `;
  switch (edit.kind) {
    case 'clear':
      return 'What was set by hand is taken away; the TTL indexes decide again. One that they make due leaves at once.';
    case 'never':
      return `${effect}Nothing expires them until cleared; deleting by hand still works.`;
    default:
      return `${effect}It outranks every TTL index until cleared.`;
  }
}
