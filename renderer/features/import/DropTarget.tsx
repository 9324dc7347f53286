import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { liveState } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { here } from '../../components/navigation/location.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { requestImport } from './file/import-request.ts';

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

function take(files: readonly File[]): void {
  const [file, ...others] = files;
  if (file === undefined) return;
  if (others.length > 0) {
    showToast({
      kind: 'info',
      title: t`Only one file was opened`,
      detail: t`${file.name} was opened. Drop the other ${others.length} afterwards.`,
    });
  }
  requestImport({ file, collection: emptyCollectionHere() });
}

/**
 * On the page of an empty collection, a dropped file is imported into it; elsewhere the file's name becomes the
 * collection's.
 */
function emptyCollectionHere(): string | null {
  const [page, name, tab] = here().path;
  if (page !== 'collections' || name === undefined || tab !== 'documents') return null;
  return liveState().collections?.get(name)?.documents === 0 ? name : null;
}

/** Accepts files dropped anywhere in the window. Without it a browser opens the file instead of the app. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    // Both events are fired for each element; if their numbers are equal, the pointer has left the window.
    let depth = 0;
    addEventListener(
      'dragenter',
      event => {
        if (!holdsFiles(event)) return;
        depth += 1;
        setOver(true);
      },
      { signal },
    );
    addEventListener(
      'dragleave',
      event => {
        if (!holdsFiles(event)) return;
        depth = Math.max(0, depth - 1);
        if (depth === 0) setOver(false);
      },
      { signal },
    );
    addEventListener('dragover', event => holdsFiles(event) && event.preventDefault(), { signal });
    addEventListener(
      'drop',
      event => {
        depth = 0;
        setOver(false);
        if (!holdsFiles(event)) return;
        event.preventDefault();
        take([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => ended.abort();
  }, []);
  if (!over) return null;
  return (
    <div className="drop-target" aria-hidden="true">
      <div className="empty">
        <Icon name="download" size={24} className="empty-icon" />
        <h3>{t`Drop to import`}</h3>
        <p>
          <Trans>NDJSON, JSON or CSV, or the output of mongoexport and arangoexport.</Trans>
        </p>
      </div>
    </div>
  );
}
