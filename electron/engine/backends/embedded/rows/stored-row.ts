import { hides } from '../../../../../shared/model/ttl-index.ts';
import { type Deadline, deadlineOf, type Expiring, type ExplicitAt } from '../../../expiry/deadline.ts';
import { type CatalogIndex, EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import {
  actionText,
  bodyText,
  readAction,
  type StoredAction,
  type StoredBody,
  storedActionText,
  storedBody,
} from './stored-json.ts';

/** A row of `documents_N`. */
export interface StoredRow {
  row: number;
  id: string;
  updatedAt: number;
  explicitAt: ExplicitAt;
  explicitAfter: number | null;
  /** Action at the explicit expiration; null: delete. */
  explicitAction: StoredAction | null;
  body: StoredBody;
}

/** A document that a leader sends to a follower [V5]. */
type SentRow = Omit<StoredRow, 'explicitAction' | 'body'> & { explicitAction: string | null; body: string };

export function rowToSend(stored: StoredRow): SentRow {
  const { explicitAction, body } = stored;
  return {
    ...stored,
    explicitAction: explicitAction === null ? null : actionText(explicitAction),
    body: bodyText(body),
  };
}

export function receivedRow({ explicitAction, body, ...row }: SentRow): StoredRow {
  return {
    ...row,
    explicitAction: explicitAction === null ? null : storedActionText(explicitAction),
    body: storedBody(body),
  };
}

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
 * Returns a stored document's deadline. `out` are the sources that have quarantined it [A5]. An explicit expiration outranks
 * every index even if its own action is quarantined: then nothing makes the document due.
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

/** The columns of a StoredRow. */
export const ROW =
  'row, id, updated_at AS updatedAt, explicit_at AS explicitAt, explicit_after AS explicitAfter, explicit_action AS explicitAction, body';
