import type { prepareDocuments } from '../tables/documents/documents.ts';
import type { prepareKeys } from '../tables/documents/keys.ts';
import { bodyText } from '../tables/documents/stored-json.ts';
import type { IncomingDocument } from './incoming-document.ts';

/** Inserts keys and rows of many documents with new `_id`s at once. */
export class NewRows {
  readonly #rows: Pick<ReturnType<typeof prepareDocuments>, 'insertMany'>;
  readonly #keys: Pick<ReturnType<typeof prepareKeys>, 'insertMany' | 'rowOf'>;

  constructor(
    rows: Pick<ReturnType<typeof prepareDocuments>, 'insertMany'>,
    keys: Pick<ReturnType<typeof prepareKeys>, 'insertMany' | 'rowOf'>,
  ) {
    this.#rows = rows;
    this.#keys = keys;
  }

  /**
   * Returns, per document, its new row, counted from `firstRow`, or null if the `_id` has a row already: a dead one, or
   * that of an earlier document of the list. Nothing is written for those.
   */
  insert(documents: readonly IncomingDocument[], firstRow: number, now: number): (number | null)[] {
    const given = this.#takeKeys(documents, firstRow);
    const rows: (number | string)[] = [];
    documents.forEach(({ id, body }, i) => {
      const row = given[i];
      if (row !== undefined && row !== null) rows.push(row, id, now, bodyText(body));
    });
    this.#rows.insertMany.insert(rows);
    return given;
  }

  #takeKeys(documents: readonly IncomingDocument[], firstRow: number): (number | null)[] {
    const keys = documents.map(({ id }, i) => ({ id, row: firstRow + i }));
    const rows = keys.map(({ row }) => row);
    // In key order, each page is written once. The sort is stable: of equal `_id`s the first document wins.
    keys.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const values: (number | string)[] = [];
    for (const { id, row } of keys) values.push(id, row);
    const taken = this.#keys.insertMany.insert(values);
    if (taken === documents.length) return rows;
    if (taken === 0) return rows.map(() => null);
    return documents.map(({ id }, i) => (this.#keys.rowOf.get(id) === rows[i] ? firstRow + i : null));
  }
}
