import { createStore, useStore } from '../../state/store.ts';

/** Dialogs of the frame, one at a time. */
export type FrameDialog = 'palette' | 'shortcuts' | 'new collection' | null;

const open = createStore<FrameDialog>(null);

/** The element that had the focus before the first dialog; restored after the last one. */
let origin: Element | null = null;
let returning: ReturnType<typeof setTimeout> | undefined;
/** Runs after a dialog has restored the focus itself, because that may refer to the previous dialog. */
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
