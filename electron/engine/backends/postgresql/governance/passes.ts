import type { Pass } from '../../../../../shared/contract/reaper.ts';
import type { Session } from '../connection/session.ts';
import type { StoredPass } from '../governed/schema/passes-table.ts';
import { readTables } from '../governed/table-facts.ts';

/** Returns passes as the contract shows them. */
export async function toPasses(session: Session, found: readonly StoredPass[]): Promise<Pass[]> {
  const tables = await readTables(session, [...new Set(found.map(pass => pass.oid))]);
  return found.map(({ oid, removed, ...pass }) => ({
    ...pass,
    collection: tables.get(oid)?.collection ?? '(dropped)',
    removed: Object.values(removed).reduce((sum, rows) => sum + rows, 0),
    changed: 0,
    quarantined: 0,
    byIndex: { ...removed },
  }));
}
