import {
  type ConnectionLabel,
  type ConnectionRecord,
  type ConnectionTest,
  HOME_CONNECTION,
  type NamedTarget,
} from '../../../../shared/contract/connections.ts';

/** A damaged store of which what can be read is saved. */
export interface DamagedStore extends Pick<ConnectionLabel, 'name' | 'environment'> {
  /** Id of the connection; null: it has none, since it was refused. */
  readonly id: string | null;
  readonly file: string;
}

/** Whether what can be read of the store of a connection can be saved: it is a file that is damaged. */
export function isDamaged({ id, state, target }: ConnectionRecord): boolean {
  return (
    id !== HOME_CONNECTION &&
    target.kind === 'file' &&
    state.is === 'failed' &&
    state.code === 'STORE_UNREADABLE'
  );
}

/** Returns the store of a connection that is damaged; null: it is not, or the connection is not of a file. */
export function damagedStoreOf(record: ConnectionRecord | null): DamagedStore | null {
  if (record?.target.kind !== 'file') return null;
  const { id, name, environment, target } = record;
  return { id, name, environment, file: target.file };
}

/**
 * Returns the file of a new connection that was refused, or whose test was, because its store is damaged; null: it was not, or
 * its folder is one from which nothing is recovered.
 */
export function refusedAsDamaged(
  target: NamedTarget,
  test: ConnectionTest | undefined,
  refusal: Readonly<Record<string, unknown>> | undefined,
): string | null {
  const isDamaged =
    refusal?.reason === 'STORE_UNREADABLE' || (test?.is === 'refused' && test.code === 'STORE_UNREADABLE');
  if (!isDamaged || target.kind !== 'file') return null;
  return 'folder' in target && target.folder !== 'stores' ? null : target.file;
}
