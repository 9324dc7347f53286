import type { MouseEvent } from 'react';

/** Prevents text selection: a second click on a row opens it, and Shift extends a selection of rows. */
export function keepFromSelectingText(event: MouseEvent): void {
  if (event.detail > 1 || event.shiftKey) event.preventDefault();
}
