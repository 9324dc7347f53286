import type { TableRow } from './page-records.ts';

/** Tables of which a recovery reads the rows. */
export const SHAPES = [
  'schema',
  'collections',
  'dropped_collections',
  'ttl_indexes',
  'removals',
  'documents',
] as const;
export type Shape = (typeof SHAPES)[number];

type Values = TableRow['values'];
const isInteger = (value: Values[number] | undefined) => Number.isInteger(value);
const isText = (value: Values[number] | undefined): value is string => typeof value === 'string';
const integers = (values: Values, from: number, to: number) => values.slice(from, to).every(isInteger);

/** Fewest columns that a row of `expired_intervals` has: one of before format 22 states no reading rules. */
const INTERVAL_COLUMNS = 19;

const MATCHES: Readonly<Record<Shape, (values: Values) => boolean>> = {
  schema: ([type, name, table, root, sql]) =>
    (type === 'table' || type === 'index') &&
    isText(name) &&
    isText(table) &&
    isInteger(root) &&
    (sql === null || isText(sql)),
  collections: values =>
    values.length >= 8 &&
    values[0] === null &&
    isText(values[1]) &&
    isInteger(values[2]) &&
    (values[3] === null || isText(values[3])) &&
    integers(values, 4, 7),
  dropped_collections: values =>
    values.length === 8 &&
    values[0] === null &&
    isText(values[1]) &&
    integers(values, 2, 5) &&
    isText(values[5]) &&
    isInteger(values[6]) &&
    isText(values[7]),
  ttl_indexes: ([id, collection, name, definition]) =>
    id === null &&
    isInteger(collection) &&
    isText(name) &&
    isText(definition) &&
    definition.startsWith('{') &&
    definition.includes('"source"'),
  // The first columns of an expired interval are alike: it has more of them.
  removals: values =>
    values.length >= 10 &&
    values.length < INTERVAL_COLUMNS &&
    values[0] === null &&
    integers(values, 1, 6) &&
    isText(values[6]) &&
    integers(values, 7, 10),
  // A document contains its `_id`, and no other table has a text that repeats another of its columns in this way.
  documents: ([row, id, updatedAt, at, after, body]) =>
    row === null &&
    isText(id) &&
    isInteger(updatedAt) &&
    (at === null || isInteger(at)) &&
    (after === null || typeof after === 'number') &&
    isText(body) &&
    idOf(body) === id,
};

/** Returns the table whose rows look like this one; null: another table. */
export function shapeOf({ values }: TableRow): Shape | null {
  return SHAPES.find(shape => MATCHES[shape](values)) ?? null;
}

function idOf(body: string): unknown {
  try {
    const document: unknown = JSON.parse(body);
    return typeof document === 'object' && document !== null && '_id' in document ? document._id : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
