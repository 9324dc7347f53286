import { z } from 'zod';
import type { Change } from '../transaction.ts';

/** Letters of the kinds of changes in the log; the document, index and deadline of an expiry are in `removals`. */
const LETTERS = {
  insert: 'i',
  update: 'u',
  delete: 'd',
  expiration: 'e',
  definition: 'f',
  expire: 'x',
} as const satisfies Record<Change['kind'], string>;

type Kind = Change['kind'];
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['i', 'insert'],
  ['u', 'update'],
  ['d', 'delete'],
  ['e', 'expiration'],
  ['f', 'definition'],
  ['x', 'expire'],
]);

/** `[collection, kinds, ids]`: changes that follow each other in one collection. */
const runs = z.array(z.tuple([z.string(), z.string(), z.array(z.string().nullable())]));

/** One change in the log. `id` is null for an expiry, whose row of `removals` has it, and for an erased document. */
export interface LoggedChange {
  collection: string;
  kind: Kind;
  id: string | null;
}

/**
 * The changes of one revision in their order, as one text: `[["sessions","i3x2",["a","b","c"]]]` is three inserts
 * and two expiries. Collections go by name, so that events of a dropped collection stay readable.
 */
export function packChanges(
  changes: readonly Pick<Change, 'collection' | 'kind' | 'id' | 'documents'>[],
): string {
  const packed: [string, string, string[]][] = [];
  let run: [string, string, string[]] | null = null;
  let kind: Kind | null = null;
  let length = 0;
  const endKind = () => {
    if (run !== null && kind !== null) run[1] += `${LETTERS[kind]}${length}`;
    length = 0;
  };
  for (const change of changes) {
    if (run === null || run[0] !== change.collection) {
      endKind();
      kind = null;
      run = [change.collection, '', []];
      packed.push(run);
    }
    if (change.kind !== kind) {
      endKind();
      kind = change.kind;
    }
    length += change.documents ?? 1;
    if (change.kind !== 'expire') run[2].push(change.id);
  }
  endKind();
  return JSON.stringify(packed);
}

/** Changes of one kind that follow each other in one collection. */
export interface ChangeRun {
  collection: string;
  kind: Kind;
  length: number;
  /** One for each change, but none for expiries: their rows of `removals` have it. */
  ids: readonly (string | null)[];
}

/** Returns the changes of one revision as runs: an expiry of any size is one. */
export function unpackRuns(text: string): ChangeRun[] {
  const found: ChangeRun[] = [];
  for (const [collection, kinds, ids] of runs.parse(JSON.parse(text))) {
    let next = 0;
    for (const [, letter = '', digits] of kinds.matchAll(/([a-z])(\d+)/g)) {
      const kind = KINDS.get(letter);
      if (kind === undefined) throw new Error(`the log has a change of the unknown kind ${letter}`);
      const length = Number(digits);
      const isExpiry = kind === 'expire';
      found.push({ collection, kind, length, ids: isExpiry ? [] : ids.slice(next, next + length) });
      if (!isExpiry) next += length;
    }
  }
  return found;
}

/** Returns the changes of one revision one by one. */
export function unpackChanges(text: string): LoggedChange[] {
  return unpackRuns(text).flatMap(({ collection, kind, length, ids }) =>
    Array.from({ length }, (_, i) => ({ collection, kind, id: ids[i] ?? null })),
  );
}

/** Returns the same text without `_id`s that `isErased` accepts [X4]; null if there are none. */
export function redactChanges(
  text: string,
  isErased: (collection: string, id: string) => boolean,
): string | null {
  let found = false;
  const redacted = runs.parse(JSON.parse(text)).map(([collection, kinds, ids]) => {
    const kept = ids.map(id => (id === null || isErased(collection, id) ? null : id));
    found ||= kept.some((id, i) => id !== ids[i]);
    return [collection, kinds, kept];
  });
  return found ? JSON.stringify(redacted) : null;
}
