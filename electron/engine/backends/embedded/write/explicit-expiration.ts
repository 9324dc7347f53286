import type { ExpirationSetting } from '../../../../../shared/contract/documents.ts';
import type { ExpirationOnArrival } from '../../backend.ts';
import {
  checkDuration,
  checkInstant,
  type ExplicitInstant,
  readExplicitInstant,
} from '../../port/explicit-instant.ts';
import { type StoredAction, storedAction } from '../tables/documents/stored-json.ts';

export interface ExplicitExpiration extends ExplicitInstant {
  /** Action at its deadline; null to delete. */
  action: StoredAction | null;
}

/** Reads a requested expiration [E1]; null clears. Throws INVALID_EXPIRATION with the alternative to use. */
export function readExpiration(setting: ExpirationSetting | null, now: number): ExplicitExpiration {
  const onExpire = setting === null || 'never' in setting ? undefined : setting.onExpire;
  return {
    ...readExplicitInstant(setting, now),
    action: onExpire === undefined ? null : storedAction(onExpire),
  };
}

/**
 * Checks an expiration that arrives with a document. An instant may be past; the document is then due. Throws
 * INVALID_EXPIRATION.
 */
export function checkIncomingExpiration(expiration: ExpirationOnArrival): void {
  if (expiration.kind === 'pin') return;
  checkInstant(expiration.at);
  if (expiration.kind === 'at' && expiration.afterMs !== null) checkDuration(expiration.afterMs);
}
