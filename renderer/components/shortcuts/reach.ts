/**
 * Where the focus may be for a shortcut to run.
 * - `page`: not in a text field, a dialog, a popover or a menu
 * - `window`: not in a modal dialog
 * - `everywhere`: also in a modal dialog
 */
export type Reach = 'page' | 'window' | 'everywhere';

/** Inputs that take text: not checkboxes, radio buttons and buttons. */
const TEXT_FIELD =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])';
const OVERLAY = '[role=dialog], [role=menu]';
const MODAL = '[role=dialog][aria-modal=true]';
/** Controls that Space and Enter operate. */
const OPERATED = 'button, a[href], input, summary';

/** Whether a person types text into this element. */
export function isTextField(element: Element): boolean {
  return element.closest(TEXT_FIELD) !== null;
}

/** Whether a shortcut of this name and reach may run while `focused` has the focus. */
export function isAllowed(name: string, focused: Element, reach: Reach): boolean {
  if (reach === 'everywhere') return true;
  if (document.querySelector(MODAL) !== null) return false;
  if (reach === 'window') return true;
  if (isTextField(focused) || focused.closest(OVERLAY) !== null) return false;
  if (name.startsWith('arrow') && focused.matches('[type=radio]')) return false;
  return !(name === 'space' || name === 'enter') || focused.closest(OPERATED) === null;
}
