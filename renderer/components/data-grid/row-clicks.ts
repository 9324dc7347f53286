import type { MouseEvent } from 'react';
import { isTextField } from '../shortcuts/reach.ts';

/** Prevents text selection outside fields: a second click on a row opens it, and Shift extends a selection of rows. */
export function keepFromSelectingText(event: MouseEvent): void {
  if (event.target instanceof Element && isTextField(event.target)) return;
  if (event.detail > 1 || event.shiftKey) event.preventDefault();
}
