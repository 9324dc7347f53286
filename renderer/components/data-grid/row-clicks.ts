import type { MouseEvent } from 'react';

/** The second click on a row opens it, and Shift extends a selection of rows: neither is about the text under the pointer. */
export function keepFromSelectingText(event: MouseEvent): void {
  if (event.detail > 1 || event.shiftKey) event.preventDefault();
}
