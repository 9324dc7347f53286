import type { ComparedConnection, ListedConnection } from '../../../shared/contract/files/connection-list.ts';
import { connectionsClient, problemOf } from '../../api.ts';

export interface ImportFailure {
  readonly listed: ListedConnection;
  readonly message: string;
}

/** Adds and changes connections one after another, and returns those that failed. */
export async function importConnections(compared: readonly ComparedConnection[]): Promise<ImportFailure[]> {
  const failures: ImportFailure[] = [];
  for (const one of compared) {
    try {
      await importOne(one);
    } catch (error) {
      failures.push({ listed: one.listed, message: problemOf(error).message });
    }
  }
  return failures;
}

async function importOne(one: ComparedConnection): Promise<void> {
  const { target, ...label } = one.listed;
  if (one.is === 'new') await connectionsClient().add({ ...label, target, closed: true });
  if (one.is !== 'changed') return;
  const isServer = target.kind !== 'file' && one.differences.includes('access');
  await connectionsClient().change({ id: one.id, ...label, ...(isServer && { target }) });
}
