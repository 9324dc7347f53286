/** A `ref` that focuses the element when it is mounted, for content that appears after the dialog around it. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
