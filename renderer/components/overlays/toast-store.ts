import { createStore, type ReadableStore } from '../../state/store.ts';

/** Messages of the window, in one list. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
}

export interface Toast {
  kind: 'error' | 'good' | 'info';
  /** Title of the message: `Index not dropped`, `409 expirations set`. */
  title: string;
  /** The object concerned, and what can be done. */
  detail?: string;
  /** An error code, shown small. */
  code?: string;
  actions?: readonly ToastAction[];
}

export interface ShownToast extends Toast {
  id: number;
}

/** Errors stay until they are dismissed, because a toast may be the only trace of a failure. */
const STAYS_MS = 6_000;
/** Time for a toast with an action, such as Restore, ms. */
const STAYS_WITH_ACTION_MS = 30_000;
const AT_MOST = 4;

const shown = createStore<readonly ShownToast[]>([]);
let lastId = 0;

/** Codes of errors that the person caused on purpose: no message is shown. */
const NOT_SHOWN: ReadonlySet<string | undefined> = new Set(['DECLINED']);

export function showToast(toast: Toast): number {
  const id = ++lastId;
  if (NOT_SHOWN.has(toast.code)) return id;
  // A message replaces an equal one, so that a repeated failure is shown once.
  const others = shown.get().filter(other => other.title !== toast.title || other.detail !== toast.detail);
  shown.set([...others, { ...toast, id }].slice(-AT_MOST));
  return id;
}

/** Time until a toast is dismissed, ms; null: it stays. */
export function lifeOf({ kind, actions }: Toast): number | null {
  if (kind === 'error') return null;
  return actions === undefined ? STAYS_MS : STAYS_WITH_ACTION_MS;
}

export function dismissToast(id: number): void {
  shown.set(shown.get().filter(toast => toast.id !== id));
}

/** Removes the buttons of all toasts when the window changes connections, because they act on the former one. */
export function dropToastActions(): void {
  shown.set(shown.get().map(({ actions: _, ...toast }) => toast));
}

export const shownToasts: ReadableStore<readonly ShownToast[]> = shown;
