import { useState } from 'react';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { now, useAtTick, useZone } from '../../../components/time/clock.ts';
import { AfterField, AtField } from '../../../components/time/ExpirationFields.tsx';
import { beginWork, type LedgerTarget } from '../expired-entries/expired-jobs.ts';
import { documents, spanInWords, targetInWords } from '../expired-entries/format-expired.ts';
import { ConflictList } from './ConflictList.tsx';
import { comingBack, type OnConflict, readRestoreDraft, restoreDraft } from './restore-plan.ts';
import { useConflicts } from './use-conflicts.ts';

interface RestoreDialogProps {
  /** Null while nothing is asked. */
  target: LedgerTarget | null;
  /** What is proposed where an `_id` is taken. */
  onConflict: OnConflict;
  onClose: () => void;
}

/** Brings back what expired: for how long, and what where its `_id` is taken since. */
export function RestoreDialog({ target, onConflict, onClose }: RestoreDialogProps) {
  return (
    <Dialog
      opened={target !== null}
      onClose={onClose}
      title={target === null ? '' : `Restore ${targetInWords(target)}`}
      width={480}
    >
      {target !== null && <Form target={target} proposed={onConflict} onClose={onClose} />}
    </Dialog>
  );
}

const KINDS = [
  { value: 'never', label: 'Pinned' },
  { value: 'after', label: 'For a while' },
  { value: 'at', label: 'Until' },
] as const;

const CONFLICTS = [
  { value: 'skip', label: 'Skip', title: 'What is there stays; the expired one stays restorable' },
  { value: 'replace', label: 'Replace', title: 'What is there is overwritten' },
  { value: 'newId', label: 'New _id', title: 'Both stay: the restored one gets another _id' },
] as const;

const MEANS: Record<OnConflict, string> = {
  skip: 'What is there stays, and those that are skipped stay restorable.',
  replace: 'What is there is overwritten, and no copy of it is kept.',
  newId: 'Both stay: the restored ones get a new _id.',
};

interface FormProps {
  target: LedgerTarget;
  proposed: OnConflict;
  onClose: () => void;
}

function Form({ target, proposed, onClose }: FormProps) {
  const [zone] = useZone();
  const [draft, setDraft] = useState(() => restoreDraft(now()));
  const [onConflict, setOnConflict] = useState(proposed);
  const [choices, setChoices] = useState<Record<string, OnConflict>>({});
  const readAt = useAtTick(at => Math.floor(at / 1000) * 1000);
  const entries = 'chosen' in target ? [...target.chosen.values()] : null;
  const { taken, isLooking } = useConflicts(entries);
  const read = readRestoreDraft(draft, readAt);
  const problem = 'problem' in read ? read.problem : null;
  const restore = useChange({
    mutationFn: async (expiration: ExpirationSetting) => {
      const what =
        'chosen' in target ? { ids: [...target.chosen.keys()] } : 'span' in target ? target.span : null;
      if (what === null) return;
      const job = await client.expired.restore({ what, expiration, onConflict, choices });
      beginWork({ job, target, expiration });
    },
    onSuccess: onClose,
  });
  const back =
    entries === null ? null : comingBack(entries, new Set(taken?.keys() ?? []), onConflict, choices);
  const span = spanInWords(target, readAt, zone);
  return (
    <form
      className="form restore"
      onSubmit={event => {
        event.preventDefault();
        if ('expiration' in read && back !== 0) restore.mutate(read.expiration);
      }}
    >
      {span !== '' && (
        <p className="t-2 wrap">
          Those {span}, as far as their copies are kept. They are brought back in parts.
        </p>
      )}
      <div>
        <Segmented
          label="Expires"
          large
          fill
          value={draft.kind}
          segments={KINDS}
          onChange={kind => setDraft({ ...draft, kind })}
        />
        {draft.kind === 'never' && (
          <p className="t-12 t-3 restore-hint">
            Nothing expires them until that is cleared. Under their old deadline they would leave at once.
          </p>
        )}
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
      </div>
      <section aria-label="Where an _id is taken">
        <div className="row conflict-h">
          <span className="t-12 t-2 grow">Where an _id is taken since</span>
          <Segmented
            label="Where an _id is taken"
            value={onConflict}
            segments={CONFLICTS}
            onChange={chosen => {
              setOnConflict(chosen);
              setChoices({});
            }}
          />
        </div>
        <p className="t-12 t-3 restore-hint">{MEANS[onConflict]}</p>
        {taken !== null && taken.size > 0 && (
          <ConflictList
            entries={entries ?? []}
            taken={taken}
            onConflict={onConflict}
            choices={choices}
            segments={CONFLICTS}
            onChoose={(id, chosen) => setChoices({ ...choices, [id]: chosen })}
          />
        )}
      </section>
      <p className="t-12 t-2" role="status">
        {isLooking
          ? 'Looking whether their ids are taken…'
          : taken === null
            ? 'Which ids are taken shows as they are brought back.'
            : takenInWords(taken.size, entries?.length ?? 0)}
      </p>
      {restore.error !== null && <Note tone="bad">{problemOf(restore.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          type="submit"
          data-autofocus
          busy={restore.isPending}
          disabled={problem !== null || back === 0}
        >
          Restore {back === null ? 'all' : formatCount(back)}
        </Button>
      </div>
    </form>
  );
}

function takenInWords(taken: number, of: number): string {
  if (taken === 0) return of === 1 ? 'Its id is free.' : `The ids of all ${formatCount(of)} are free.`;
  if (of === 1) return 'Its id is taken by a newer document.';
  const free = of - taken;
  return `${documents(free)} ${free === 1 ? 'comes' : 'come'} back as ${free === 1 ? 'it was' : 'they were'}; ${formatCount(taken)} ${taken === 1 ? 'id is' : 'ids are'} taken.`;
}
