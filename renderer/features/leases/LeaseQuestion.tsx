import { plural, t } from '@lingui/core/macro';
import { problemOf, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { formatDuration } from '../../i18n/format.ts';
import { LeaseKeys } from './LeaseKeys.tsx';
import { applyLeaseChange, type LeaseChange } from './lease-change.ts';

const MOST_NAMED = 1_000;

/** Names every key that a change of a lease concerns, before it is made. */
export function LeaseQuestion({ change, onClose }: { change: LeaseChange; onClose: () => void }) {
  const apply = useChange({ mutationFn: () => applyLeaseChange(change), onSuccess: onClose });
  const { title, sentence, button } = formatChange(change);
  return (
    <Dialog
      opened
      onClose={onClose}
      locked={apply.isPending}
      title={title}
      width={480}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose} data-autofocus>{t`Cancel`}</Button>
          <Button
            variant={change.kind === 'revoke' ? 'danger' : 'primary'}
            busy={apply.isPending}
            onClick={() => apply.mutate()}
          >
            {button}
          </Button>
        </>
      }
    >
      <p className="wrap">{sentence}</p>
      <LeaseKeys lease={change.lease} most={MOST_NAMED} />
      {apply.error !== null && <Note tone="bad">{problemOf(apply.error).message}</Note>}
    </Dialog>
  );
}

function formatChange(change: LeaseChange): { title: string; sentence: string; button: string } {
  const { id, keyCount, grantedSeconds } = change.lease;
  const duration = formatDuration(grantedSeconds * 1_000);
  switch (change.kind) {
    case 'keep alive':
      return {
        title: t`Keep the lease ${id} alive?`,
        sentence: plural(keyCount, {
          0: `The lease has no keys; it ends ${duration} from now.`,
          one: `The key of the lease stays ${duration} from now.`,
          other: `All # keys of the lease stay ${duration} from now.`,
        }),
        button: t`Keep alive`,
      };
    case 'revoke':
      return {
        title: t`Revoke the lease ${id}?`,
        sentence: plural(keyCount, {
          0: 'The lease ends now. It has no keys.',
          one: `The lease ends now, and its key is deleted. This cannot be undone.`,
          other: `The lease ends now, and all # keys are deleted. This cannot be undone.`,
        }),
        button:
          keyCount === 0 ? t`Revoke` : plural(keyCount, { one: 'Delete # key', other: 'Delete # keys' }),
      };
    case 'detach': {
      const { key } = change;
      return {
        title: t`Detach from the lease ${id}?`,
        sentence: t`${key} never expires from now on. The other keys of the lease still leave with it:`,
        button: t`Detach`,
      };
    }
  }
}
