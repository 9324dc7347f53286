import { hides } from '../../../../../shared/model/ttl-index.ts';
import { type Deadline, deadlineOf, type Expiring } from '../../../expiry/deadline.ts';
import { readAction, type StoredAction } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import { EXPLICIT_SOURCE } from './catalog.ts';
import type { CatalogIndex } from './catalog-index.ts';

/** Parts of a stored document that decide its deadline; `value` is the parsed body. */
export function expiringOf(
  { updatedAt, explicitAt, explicitAction }: Pick<StoredRow, 'updatedAt' | 'explicitAt' | 'explicitAction'>,
  value: unknown,
): Expiring {
  return { value, updatedAt, explicitAt, explicitHides: explicitHides(explicitAction) };
}

function explicitHides(action: StoredAction | null): boolean {
  return action === null || hides(readAction(action));
}

/**
 * Returns a stored document's deadline. `out` are the sources that have quarantined it [A5]. An explicit expiration
 * outranks every index even if its own action is quarantined: then nothing makes the document due.
 */
export function storedDeadline(
  stored: Pick<StoredRow, 'updatedAt' | 'explicitAt' | 'explicitAction'>,
  value: unknown,
  rules: readonly CatalogIndex[],
  out: ReadonlySet<number>,
): Deadline<CatalogIndex> {
  if (stored.explicitAt !== null && out.has(EXPLICIT_SOURCE)) return { kind: 'none' };
  return deadlineOf(expiringOf(stored, value), rules, out.size === 0 ? undefined : ({ id }) => out.has(id));
}
