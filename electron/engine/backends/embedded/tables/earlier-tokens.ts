import type { Database } from 'better-sqlite3';
import type { Permission } from '../../../../../shared/contract/permissions.ts';

/** A token of an earlier version, which kept tokens in the store and so in its backups. */
interface EarlierToken {
  sha256: string;
  name: string;
  permission: Permission;
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}

/** Tokens that an earlier version left in the `tokens` table; today they are in a file beside the store. */
export function readEarlierTokens(db: Database): EarlierToken[] {
  return db
    .prepare<[], EarlierToken>(
      `SELECT sha256, name, permission, created_at AS createdAt, created_by AS createdBy, last_used_at AS lastUsedAt
       FROM tokens ORDER BY name`,
    )
    .all();
}

export function hasEarlierTokens(db: Database): boolean {
  return db.prepare('SELECT 1 FROM tokens').get() !== undefined;
}

export function deleteEarlierTokens(db: Database): void {
  db.exec('DELETE FROM tokens');
}
