import type { PlantedBug } from '../planted-bug.ts';

const EMBEDDED = 'electron/engine/backends/embedded';

/** Syncs, names and locks of files. */
export const DISK_BUGS: readonly PlantedBug[] = [
  {
    name: 'a log that is not synced after maintenance',
    file: `${EMBEDDED}/write/writer.ts`,
    before: "this.db.pragma('synchronous = FULL');",
    after: "this.db.pragma('synchronous = NORMAL');",
    parts: ['power-cuts'],
  },
  {
    name: 'a checkpoint before the sync of the log',
    file: `${EMBEDDED}/file/checkpoint-thread.ts`,
    before: "db.pragma('synchronous = NORMAL');",
    after: "db.pragma('synchronous = OFF');",
    parts: ['power-cuts'],
  },
  {
    name: 'a small file that is not synced before it gets its name',
    file: 'electron/engine/files/replace-file.ts',
    before: '{ mode, flush: true }',
    after: '{ mode, flush: false }',
    parts: ['power-cuts'],
  },
  {
    name: 'a folder that is not synced after a small file got its name',
    file: 'electron/engine/files/replace-file.ts',
    before: 'if (isDurable) synced(dirname(file));',
    after: '',
    parts: ['power-cuts'],
  },
  {
    name: 'a backup that gets its name before it is complete',
    file: `${EMBEDDED}/file/backup.ts`,
    before: `    verify(partial, counts, JSON.stringify({ file: store, at }));
    synced(partial);
    giveName(partial, file);`,
    after: `    giveName(partial, file);
    verify(partial, counts, JSON.stringify({ file: store, at }));
    synced(partial);`,
    parts: ['power-cuts', 'kills'],
  },
  {
    name: 'a backup whose name is not synced',
    file: `${EMBEDDED}/file/backup.ts`,
    before: '    synced(dirname(file));\n',
    after: '',
    parts: ['power-cuts'],
  },
  {
    name: 'a migration without its copy',
    file: `${EMBEDDED}/file/database.ts`,
    before: 'copyBeforeMigration(db, file, MIGRATIONS.length);',
    after: 'void copyBeforeMigration;',
    parts: ['upgrades'],
  },
  {
    name: 'a copy before migration whose name is not synced',
    file: `${EMBEDDED}/file/copy-before-migration.ts`,
    before: '    synced(dirname(copy));\n',
    after: '',
    parts: ['upgrades'],
  },
  {
    name: 'a sync that is tried again after it failed',
    file: `${EMBEDDED}/file/failed-sync.ts`,
    before: 'if (this.#failure === null && !this.#isClosed) this.#fail();',
    after: '',
    parts: ['io-faults'],
  },
  {
    name: 'a failed sync of the checkpoint thread that is ignored',
    file: `${EMBEDDED}/file/checkpoint-thread.ts`,
    before: "return { kind: 'failed', code, message: error.message };",
    after: "return code === '' ? { kind: 'failed', code, message: error.message } : { kind: 'done' };",
    parts: ['io-faults'],
  },
  {
    name: 'a lock that is let go before the store is closed',
    file: `${EMBEDDED}/file/ownership.ts`,
    before: "lock.exec('BEGIN EXCLUSIVE');",
    after: "lock.exec('BEGIN EXCLUSIVE; COMMIT');",
    parts: ['kills', 'disk'],
  },
];
