import { plural, t } from '@lingui/core/macro';
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

/**
 * Mounted once. Reports each removal that a person caused, with its count and a Restore button; Ctrl+Z offers to
 * restore the last one.
 */
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
            showToast({ kind: 'error', title: t`Removed documents not counted`, detail: message, code });
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

/** Returns `38 documents of carts expired, by idle_2h`. */
function formatRemoval({ removal, count }: EndedRemoval): string {
  const { collection, cause, index } = removal;
  const documents =
    count < MOST_COUNTED
      ? plural(count, { one: '# document', other: '# documents' })
      : t`${formatCount(count)} or more documents`;
  if (cause === 'deleted') return t`${documents} of ${collection} deleted`;
  if (index === undefined) return t`${documents} of ${collection} expired`;
  return t`${documents} of ${collection} expired, by ${formatActor({ cause, index })}`;
}

function report(ended: EndedRemoval, onRestore: (() => void) | null): void {
  const { collection, cause, from } = ended.removal;
  showToast({
    kind: 'good',
    title: formatRemoval(ended),
    detail: onRestore === null ? t`They cannot be restored.` : t`Ctrl+Z restores them, too.`,
    actions: [
      ...(onRestore === null ? [] : [{ label: t`Restore…`, onSelect: onRestore }]),
      {
        label: t`Show`,
        onSelect: () => goTo(toActivity('expired', { collection, cause, from: Math.floor(from) })),
      },
    ],
  });
}
