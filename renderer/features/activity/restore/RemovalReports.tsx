import { useEffect, useState } from 'react';
import { onCausedRemoval, onLastRemovalOffered, problemOf, useRefusal } from '../../../api.ts';
import { goTo, toActivity, usePlace } from '../../../components/navigation/location.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.ts';
import { formatCount } from '../../../i18n/format.ts';
import type { ExpiredTarget } from '../expired-model/expired-jobs.ts';
import { formatActor } from '../expired-model/format-expired.ts';
import { type EndedRemoval, followRemoval, MOST_COUNTED } from './follow-removal.ts';
import { RestoreDialog } from './RestoreDialog.tsx';

/** Mounted once: reports each removal that a person caused, with its count and Restore; Ctrl+Z offers the last one. */
export function RemovalReports() {
  const [restoring, setRestoring] = useState<ExpiredTarget | null>(null);
  const [last, setLast] = useState<ExpiredTarget | null>(null);
  const { path } = usePlace();
  const mayRestore = useRefusal('expired.restore') === null;
  useEffect(
    () =>
      onCausedRemoval(removal => {
        followRemoval(removal).then(
          ended => {
            if (ended === null) return;
            const canRestore = ended.isRestorable && mayRestore;
            if (canRestore) setLast(ended.target);
            report(ended, canRestore ? () => setRestoring(ended.target) : null);
          },
          (error: unknown) => {
            const { code, message } = problemOf(error);
            showToast({ kind: 'error', title: 'Removed documents not counted', detail: message, code });
          },
        );
      }),
    [mayRestore],
  );
  useEffect(() => onLastRemovalOffered(() => setRestoring(last)), [last]);
  // The documents page undoes its own edits first.
  const isDocuments = path[0] === 'collections' && path[2] === 'documents';
  useShortcuts({ 'mod+z': () => setRestoring(last) }, { isOn: last !== null && !isDocuments });
  return <RestoreDialog target={restoring} onConflict="skip" onClose={() => setRestoring(null)} />;
}

function report({ removal, count }: EndedRemoval, onRestore: (() => void) | null): void {
  const { collection, cause, index, from } = removal;
  const number = count < MOST_COUNTED ? formatCount(count) : `${formatCount(count)} or more`;
  const by = index === undefined ? '' : `, by ${formatActor({ cause, index })}`;
  showToast({
    kind: 'good',
    title: `${number} document${count === 1 ? '' : 's'} of ${collection} ${cause}${by}`,
    detail: onRestore === null ? 'They cannot be restored.' : 'Ctrl+Z restores them, too.',
    actions: [
      ...(onRestore === null ? [] : [{ label: 'Restore…', onSelect: onRestore }]),
      {
        label: 'Show',
        onSelect: () => goTo(toActivity('expired', { collection, cause, from: Math.floor(from) })),
      },
    ],
  });
}
