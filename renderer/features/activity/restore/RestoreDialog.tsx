import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { client, problemOf, useChange, useRestoreConflicts } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { now, useAtTick, useZone } from '../../../components/time/clock.ts';
import { AfterField, AtField } from '../../../components/time/ExpirationFields.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import { type ExpiredTarget, setExpiredJob } from '../expired-model/expired-jobs.ts';
import { formatSpan, formatTarget } from '../expired-model/format-expired.ts';
import { ConflictList } from './ConflictList.tsx';
import { type OnConflict, readRestoreDraft, restoreDraft, restoredCount } from './restore-plan.ts';
import { useConflicts } from './use-conflicts.ts';

interface RestoreDialogProps {
  /** Null: the dialog is closed. */
  target: ExpiredTarget | null;
  /** Preset for an `_id` in use. */
  onConflict: OnConflict;
  onClose: () => void;
}

/** Restores expired documents with a new expiration, and resolves `_id` conflicts. */
export function RestoreDialog({ target, onConflict, onClose }: RestoreDialogProps) {
  const documents = target === null ? null : formatTarget(target);
  return (
    <Dialog
      opened={target !== null}
      onClose={onClose}
      title={documents === null ? '' : t`Restore ${documents}`}
      width={480}
    >
      {target !== null && <Form target={target} proposed={onConflict} onClose={onClose} />}
    </Dialog>
  );
}

const KINDS = [
  { value: 'never', label: t`Pinned` },
  { value: 'after', label: t`After` },
  { value: 'at', label: t`At` },
] as const;

const CONFLICTS = [
  { value: 'skip', label: t`Skip`, title: t`Keeps the stored document; the expired one stays restorable` },
  { value: 'replace', label: t`Replace`, title: t`Overwrites the stored document` },
  { value: 'newId', label: t`New _id`, title: t`Keeps both: the restored document gets a new _id` },
] as const;

const MEANS: Record<OnConflict, string> = {
  skip: t`Keeps the stored documents; skipped ones stay restorable.`,
  replace: t`Overwrites the stored documents and keeps no copy of them.`,
  newId: t`Keeps both: restored documents get a new _id.`,
};

interface FormProps {
  target: ExpiredTarget;
  proposed: OnConflict;
  onClose: () => void;
}

function Form({ target, proposed, onClose }: FormProps) {
  const offered = useRestoreConflicts();
  const conflicts = CONFLICTS.filter(({ value }) => offered.includes(value));
  const [zone] = useZone();
  const [draft, setDraft] = useState(() => restoreDraft(now()));
  const [onConflict, setOnConflict] = useState(proposed);
  const [choices, setChoices] = useState<Record<string, OnConflict>>({});
  const readAt = useAtTick(at => Math.floor(at / 1000) * 1000);
  const entries = 'chosen' in target ? [...target.chosen.values()] : null;
  const { taken, isChecking } = useConflicts(entries);
  const read = readRestoreDraft(draft, readAt);
  const problem = 'problem' in read ? read.problem : null;
  const restore = useChange({
    mutationFn: async (expiration: ExpirationSetting) => {
      const what =
        'chosen' in target ? { ids: [...target.chosen.keys()] } : 'span' in target ? target.span : null;
      if (what === null) return;
      const job = await client.expired.restore({ what, expiration, onConflict, choices });
      setExpiredJob({ job, target, expiration });
    },
    onSuccess: onClose,
  });
  const back =
    entries === null ? null : restoredCount(entries, new Set(taken?.keys() ?? []), onConflict, choices);
  const span = formatSpan(target, readAt, zone);
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
          <Trans>Restores {span}, in batches.</Trans>
        </p>
      )}
      <div>
        <Segmented
          label={t`Expires`}
          large
          fill
          value={draft.kind}
          segments={KINDS}
          onChange={kind => setDraft({ ...draft, kind })}
        />
        {draft.kind === 'never' && (
          <p className={`t-12 t-3 ${classes.restoreHint}`}>
            <Trans>
              They never expire until the pin is cleared. Under their old deadline they would expire at once.
            </Trans>
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
      <section aria-label={t`If an _id is in use again`}>
        <div className="row conflict-h">
          <span className="t-12 t-2 grow">{t`If an _id is in use again`}</span>
          <Segmented
            label={t`If an _id is in use again`}
            value={onConflict}
            segments={conflicts}
            onChange={chosen => {
              setOnConflict(chosen);
              setChoices({});
            }}
          />
        </div>
        <p className={`t-12 t-3 ${classes.restoreHint}`}>{MEANS[onConflict]}</p>
        {taken !== null && taken.size > 0 && (
          <ConflictList
            entries={entries ?? []}
            taken={taken}
            onConflict={onConflict}
            choices={choices}
            segments={conflicts}
            onChoose={(id, chosen) => setChoices({ ...choices, [id]: chosen })}
          />
        )}
      </section>
      <p className="t-12 t-2" role="status">
        {isChecking
          ? t`Checking whether their _ids are in use…`
          : taken === null
            ? t`_ids in use are found while restoring.`
            : formatConflicts(taken.size, entries?.length ?? 0)}
      </p>
      {restore.error !== null && <Note tone="bad">{problemOf(restore.error).message}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          variant="primary"
          type="submit"
          data-autofocus
          busy={restore.isPending}
          disabled={problem !== null || back === 0}
        >
          {back === null ? t`Restore all` : t`Restore ${formatCount(back)}`}
        </Button>
      </div>
    </form>
  );
}

function formatConflicts(taken: number, of: number): string {
  const total = formatCount(of);
  if (taken === 0) return of === 1 ? t`Its _id is not in use.` : t`None of the ${total} _ids is in use.`;
  if (of === 1) return t`Its _id is in use by a newer document.`;
  const free = of - taken;
  return t`${plural(taken, { one: `# of ${total} _ids is in use`, other: `# of ${total} _ids are in use` })}; ${plural(free, { one: '# document', other: '# documents' })} can be restored unchanged.`;
}
