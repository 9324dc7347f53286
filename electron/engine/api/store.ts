import { basename } from 'node:path';
import type { StoreInfo, StoreSpace } from '../../../shared/contract/live.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { resolveNamedFile } from '../access/allowed-folders.ts';
import { byCaller } from '../access/audit-log.ts';
import { diskFull } from '../files/file-system-space.ts';
import { startRecovery } from '../jobs/recovery.ts';
import { runJob } from '../jobs/run-job.ts';
import { loadSampleData } from '../jobs/sample-data.ts';
import type { EmbeddedEngine, RemoteEngine } from './context.ts';
import { api, embedded } from './procedure-guard.ts';

type PlaceInfo = Pick<
  StoreInfo,
  'file' | 'name' | 'bytes' | 'diskFull' | 'syncFailed' | 'role' | 'leader' | 'remote'
>;

function infoOfFile(engine: EmbeddedEngine): PlaceInfo {
  const { file, disk } = engine.backend;
  return {
    file,
    name: basename(file),
    bytes: engine.backend.bytes(),
    diskFull: disk.full,
    syncFailed: disk.syncFailure,
    remote: null,
    ...roleOf(engine),
  };
}

function infoOfServer({ backend: { remote } }: RemoteEngine): PlaceInfo {
  return {
    file: remote.uri,
    name: remote.uri,
    bytes: 0,
    diskFull: null,
    syncFailed: null,
    remote,
    role: 'leader',
    leader: null,
  };
}

function roleOf({ leaderStatus }: EmbeddedEngine): Pick<StoreInfo, 'role' | 'leader'> {
  if (leaderStatus === null) return { role: 'leader', leader: null };
  return { role: 'follower', leader: leaderStatus.status };
}

async function spaceOf({ backend }: EmbeddedEngine): Promise<StoreSpace> {
  const { documents, retained, log } = await backend.reads.storage();
  const space = backend.fileCare.space();
  const otherBytes = Math.max(0, space.usedBytes - documents - retained - log);
  return { ...space, documentBytes: documents, retainedBytes: retained, logBytes: log, otherBytes };
}

export const store = {
  info: api.store.info.handler(({ context: { engine, caller } }) => ({
    version: engine.version,
    revision: engine.backend.revision,
    now: engine.clock.now(),
    user: caller.user,
    permission: caller.permission,
    connection: engine.connections.id,
    readOnly: engine.readOnly,
    namesPaths: caller.from === 'machine',
    capabilities: engine.backend.capabilities,
    ...(engine.kind === 'embedded' ? infoOfFile(engine) : infoOfServer(engine)),
  })),
  loadSampleData: embedded.store.loadSampleData.handler(({ input, context: { engine, caller } }) =>
    loadSampleData(engine, caller, input?.documents),
  ),
  backup: embedded.store.backup.handler(({ input, context: { engine, caller } }) => {
    const { backend, connections, folders } = engine;
    const file = resolveNamedFile(caller, input.file, folders.backups, 'INVALID_FILE');
    // Every reader can list the job: it contains the file's name, and its path only if the caller gave one.
    const subject = basename(file);
    const start = { kind: 'backup', collection: '', subject, unit: 'bytes', total: null } as const;
    // One at a time: each holds a snapshot and copies the whole store.
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
          knownStores: connections.list.flatMap(({ target }) =>
            target.kind === 'file' ? [target.file] : [],
          ),
          onProgress: (done, total) => job.update({ done, total }),
        })
        .finally(giveBack);
      job.update({ done: bytes, total: bytes, result: input.file });
    });
    void ended.then(({ state }) => note(`backup ${state}`));
    return started;
  }),
  space: embedded.store.space.handler(({ context: { engine } }) => spaceOf(engine)),
  compact: embedded.store.compact.handler(({ context: { engine } }) => {
    const { backend } = engine;
    checkNoneRuns(engine, 'compact');
    const { neededBytes, freeBytes } = backend.fileCare.space();
    if (freeBytes < neededBytes) throw diskFull(backend.file, neededBytes);
    const start = {
      kind: 'compact',
      collection: '',
      subject: basename(backend.file),
      unit: 'bytes',
      total: neededBytes,
    } as const;
    return runJob(engine, start, async job => {
      const { bytesBefore, bytesAfter } = await backend.fileCare.compact({
        signal: job.signal,
        onProgress: (done, total) => job.update({ done, total }),
      });
      const result = `${formatBytes(bytesBefore)} before, ${formatBytes(bytesAfter)} after`;
      job.update({ done: neededBytes, total: neededBytes, result });
    }).started;
  }),
  check: embedded.store.check.handler(({ context: { engine } }) => {
    const { backend } = engine;
    checkNoneRuns(engine, 'check');
    const start = {
      kind: 'check',
      collection: '',
      subject: basename(backend.file),
      unit: 'documents',
      total: null,
    } as const;
    return runJob(engine, start, async job => {
      const { documents, problems } = await backend.fileCare.check({
        signal: job.signal,
        onProgress: (done, total) => job.update({ done, total }),
      });
      const [first] = problems;
      if (first !== undefined) throw damaged(backend.file, first, problems.length);
      job.update({
        done: documents,
        total: documents,
        result: `${formatCount(documents)} documents, no problem found`,
      });
    }).started;
  }),
  recover: embedded.store.recover.handler(({ input, context: { engine, caller } }) => {
    const file = resolveNamedFile(caller, input.file, engine.folders.stores, 'INVALID_FILE');
    checkNoneRuns(engine, 'recovery');
    engine.audit.done({ what: 'recovery started', ...byCaller(caller), file });
    return startRecovery(engine, { file, subject: basename(file), by: caller.user });
  }),
};

/** Throws EXPECTATION_FAILED if a job of that kind runs already. */
function checkNoneRuns({ jobs }: EmbeddedEngine, kind: 'compact' | 'check' | 'recovery'): void {
  const running = jobs.list().find(job => job.kind === kind && job.state === 'running');
  if (running === undefined) return;
  throw new SandglassError(
    'EXPECTATION_FAILED',
    `A ${kind} of this store is running already. Wait for its end.`,
    {
      job: running.id,
    },
  );
}

function damaged(file: string, first: string, problems: number): SandglassError {
  const more = problems > 1 ? ` and ${problems - 1} more` : '';
  return new SandglassError(
    'STORE_UNREADABLE',
    `${basename(file)} is damaged: ${first.replace(/\.$/, '')}${more}. Restore a backup, or save what can be read into a new store (sandglass recover).`,
    { problems },
  );
}
