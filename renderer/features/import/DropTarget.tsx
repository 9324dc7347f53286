import { useEffect, useState } from 'react';
import { liveState } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { here } from '../../components/navigation/location.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { requestImport } from './import-request.ts';

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

function take(files: readonly File[]): void {
  const [file, ...others] = files;
  if (file === undefined) return;
  if (others.length > 0) {
    showToast({
      kind: 'info',
      title: 'One file at a time',
      detail: `${file.name} is taken. Drop the other ${others.length} after it.`,
    });
  }
  requestImport({ file, collection: emptyHere() });
}

/** A collection without documents asks on its own page for a file; elsewhere one goes by its own name. */
function emptyHere(): string | null {
  const [page, name, tab] = here().path;
  if (page !== 'collections' || name === undefined || tab !== 'documents') return null;
  return liveState().collections?.get(name)?.documents === 0 ? name : null;
}

/** Files can be dropped anywhere in the window. Without this a browser would leave the page to show the file. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    // Enter and leave are told for every element passed: only their balance says whether the window is left.
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
        <Icon name="download" size={24} className="i-big" />
        <h3>Drop to import</h3>
        <p>NDJSON, JSON or CSV, and what mongoexport and arangoexport write.</p>
      </div>
    </div>
  );
}
