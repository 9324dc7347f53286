import { basename } from 'node:path';
import type { StoreInfo } from '../../../shared/contract/live.ts';
import { byCaller } from '../platform/audit-log.ts';
import { namedFile } from '../platform/named-files.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';
import { runJob } from './run-job.ts';
import { loadSampleData } from './sample-data.ts';

function roleOf({ following }: Engine): Pick<StoreInfo, 'role' | 'leader'> {
  if (following === null) return { role: 'leader', leader: null };
  return { role: 'follower', leader: following.status };
}

export const store = {
  info: api.store.info.handler(({ context: { engine, caller } }) => ({
    file: engine.backend.file,
    name: basename(engine.backend.file),
    version: engine.version,
    bytes: engine.backend.bytes(),
    revision: engine.backend.revision,
    now: engine.clock.now(),
    user: caller.user,
    permission: caller.permission,
    connection: engine.connections.id,
    readOnly: engine.readOnly,
    namesPaths: caller.from === 'machine',
    diskFull: engine.backend.disk.full,
    ...roleOf(engine),
  })),
  loadSampleData: api.store.loadSampleData.handler(({ input, context: { engine, caller } }) =>
    loadSampleData(engine, caller, input?.documents),
  ),
  backup: api.store.backup.handler(({ input, context: { engine, caller } }) => {
    const { backend, connections, folders } = engine;
    const file = namedFile(caller, input.file, folders.backups, 'INVALID_FILE');
    // Everybody who may read sees the job: it tells the file's name, and its path where the caller named one.
    const subject = basename(file);
    const start = { kind: 'backup', collection: '', subject, unit: 'bytes', total: null } as const;
    // Each holds a snapshot and copies the whole store: one at a time.
    const stopWaiting = new AbortController();
    const turn = engine.backupSlots.take(stopWaiting.signal);
    const note = (what: string) => engine.audit.done({ what, ...byCaller(caller), file });
    note('backup started');
    const { started, ended } = runJob(engine, start, async job => {
      job.signal.addEventListener('abort', () => stopWaiting.abort(job.signal.reason));
      const giveBack = await turn;
      const { bytes } = await backend
        .backup(file, {
          signal: job.signal,
          knownStores: connections.list.map(({ target }) => target.file),
          onProgress: (done, total) => job.update({ done, total }),
        })
        .finally(giveBack);
      job.update({ done: bytes, total: bytes, result: input.file });
    });
    void ended.then(({ state }) => note(`backup ${state}`));
    return started;
  }),
};
