/** A `ref` that focuses the element when it is mounted, for content that appears after the dialog around it. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/** A `ref` that focuses a text field when it is mounted, with its text selected. */
export function selectOnMount(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
