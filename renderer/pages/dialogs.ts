import { useSyncExternalStore } from 'react';

/** The dialogs of the frame: one at a time, opened by a button, a key or the palette. */
export type FrameDialog = 'palette' | 'shortcuts' | 'new collection' | null;

let open: FrameDialog = null;
const listeners = new Set<() => void>();

export function openDialog(dialog: FrameDialog): void {
  open = dialog;
  for (const listener of listeners) listener();
}

export const closeDialog = () => openDialog(null);

export function useOpenDialog(): FrameDialog {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
