/**
 * Names of pending changes that would be lost by a reload. While there are any, the browser warns before the page is
 * left.
 */
const unkept = new Set<string>();

export const hasUnkeptChanges = (): boolean => unkept.size > 0;

export function setUnkept(name: string, isUnkept: boolean): void {
  if (isUnkept) unkept.add(name);
  else unkept.delete(name);
  if (unkept.size > 0) addEventListener('beforeunload', preventUnload);
  else removeEventListener('beforeunload', preventUnload);
}

/** Called after the person has confirmed the loss. */
export function leaveUnkept(): void {
  unkept.clear();
  removeEventListener('beforeunload', preventUnload);
}

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
