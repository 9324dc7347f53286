/** What happened, to which thing, what now. One list for the window; the Toasts component draws it. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
}

export interface Toast {
  kind: 'error' | 'good' | 'info';
  /** What happened: `Index not dropped`, `409 expirations set`. */
  title: string;
  /** Which thing, and what to do. */
  detail?: string;
  /** Shown small, for a report or a search. */
  code?: string;
  actions?: readonly ToastAction[];
}

export interface ShownToast extends Toast {
  id: number;
}

/** Errors stay until they are dismissed: they may be all that is known of a failure. */
const STAYS_MS = 6_000;
const AT_MOST = 4;

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Codes of what a person decided themselves: they know, and nothing has failed. */
const UNTOLD: ReadonlySet<string | undefined> = new Set(['DECLINED']);

export function showToast(toast: Toast): number {
  const id = ++lastId;
  if (UNTOLD.has(toast.code)) return id;
  // The same message again replaces itself: a failing retry does not fill the window.
  const others = shown.filter(other => other.title !== toast.title || other.detail !== toast.detail);
  change([...others, { ...toast, id }].slice(-AT_MOST));
  if (toast.kind !== 'error') setTimeout(() => dismissToast(id), STAYS_MS);
  return id;
}

export function dismissToast(id: number): void {
  change(shown.filter(toast => toast.id !== id));
}

/** What can be undone from a toast is of the store it was done in: elsewhere it is only to be read. */
export function dropToastActions(): void {
  change(shown.map(({ actions: _, ...toast }) => toast));
}

export const toastStore = {
  get: (): readonly ShownToast[] => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
