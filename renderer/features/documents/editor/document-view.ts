import { createStore, useStore } from '../../../state/store.ts';

/** The form in which documents are shown. */
export type DocumentForm = 'json' | 'table' | 'tree';

const KEY = 'sandglass.documentForm';

const stored = localStorage.getItem(KEY);
const form = createStore<DocumentForm>(stored === 'table' || stored === 'tree' ? stored : 'json');

/** The form chosen last; kept after the window is closed. */
export function useDocumentForm(): [DocumentForm, (form: DocumentForm) => void] {
  return [useStore(form), setForm];
}

function setForm(next: DocumentForm): void {
  localStorage.setItem(KEY, next);
  form.set(next);
}
