import { NotConnected, problemOf } from '../../api.ts';
import type { Toast } from '../../components/overlays/toast-store.ts';
import type { ImportEnd } from './import-end.ts';

/** Why an import could not go on, for a person. */
export function whyItStopped(error: unknown): string {
  if (!(error instanceof NotConnected)) return problemOf(error).message;
  return error.why === 'left'
    ? 'This window went to another store during the import.'
    : 'The engine stopped during the import.';
}

/** Whoever went elsewhere sees no dialog any more: that it stopped is told all the same. Null: there is nothing to tell. */
export function howItStopped(file: string, end: ImportEnd): Toast | null {
  if (end.is !== 'failed') return null;
  return {
    kind: 'error',
    title: `The import of ${file} stopped`,
    detail: `${end.what} ${end.todo}`,
    code: end.code,
  };
}
