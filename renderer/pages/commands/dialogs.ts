import { createStore, useStore } from '../../state/store.ts';

/** The dialogs of the frame: one at a time, opened by a button, a key or the palette. */
export type FrameDialog = 'palette' | 'shortcuts' | 'new collection' | null;

const open = createStore<FrameDialog>(null);

/** What had the focus before the first of them: one dialog may lead to another, and the last gives it back. */
let origin: Element | null = null;
let returning: ReturnType<typeof setTimeout> | undefined;
/** After each dialog's own attempt, which knows only the dialog before it. */
const RETURN_AFTER_MS = 40;

function returnFocus(): void {
  returning = undefined;
  const lostIt = document.activeElement === null || document.activeElement === document.body;
  if (lostIt && origin instanceof HTMLElement && origin.isConnected) origin.focus({ preventScroll: true });
  origin = null;
}

export function openDialog(dialog: FrameDialog): void {
  if (dialog === open.get()) return;
  if (dialog !== null && open.get() === null) {
    if (returning === undefined) origin = document.activeElement;
    clearTimeout(returning);
    returning = undefined;
  } else if (dialog === null) {
    returning = setTimeout(returnFocus, RETURN_AFTER_MS);
  }
  open.set(dialog);
}

export const closeDialog = () => openDialog(null);

export function useOpenDialog(): FrameDialog {
  return useStore(open);
}
