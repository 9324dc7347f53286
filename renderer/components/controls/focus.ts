/** As a `ref`: takes the focus when it appears, for what comes on screen later than the dialog around it. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
