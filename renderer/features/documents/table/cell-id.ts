/** Ids of elements, by which the table names its active row or cell. */
export const rowId = (slot: number) => `document-${slot}`;
export const cellId = (slot: number, column: string) => `${rowId(slot)}-${encodeURIComponent(column)}`;
