import type { ExplicitAt } from '../../../../expiry/deadline.ts';
import {
  actionText,
  bodyText,
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
  /** The duration that was given, ms; null: none. */
  explicitAfterMs: number | null;
  /** Action at the explicit expiration; null: delete. */
  explicitAction: StoredAction | null;
  body: StoredBody;
}

/** A document that a leader sends to a follower [V5]. */
type SentRow = Omit<StoredRow, 'explicitAfterMs' | 'explicitAction' | 'body'> & {
  explicitAfter: number | null;
  explicitAction: string | null;
  body: string;
};

export function rowToSend(stored: StoredRow): SentRow {
  const { explicitAfterMs, explicitAction, body, ...row } = stored;
  return {
    ...row,
    explicitAfter: explicitAfterMs,
    explicitAction: explicitAction === null ? null : actionText(explicitAction),
    body: bodyText(body),
  };
}

export function receivedRow({ explicitAfter, explicitAction, body, ...row }: SentRow): StoredRow {
  return {
    ...row,
    explicitAfterMs: explicitAfter,
    explicitAction: explicitAction === null ? null : storedActionText(explicitAction),
    body: storedBody(body),
  };
}

/** The columns of a StoredRow. */
export const ROW =
  'row, id, updated_at AS updatedAt, explicit_at AS explicitAt, explicit_after AS explicitAfterMs, explicit_action AS explicitAction, body';
