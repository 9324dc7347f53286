import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatBytes } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import type { Command } from '../session/command.ts';
import { followJob } from '../session/follow-job.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent, verified copy of the store to a file, while it is in use [B1]',
  arguments: [{ name: 'FILE' }],
  options: {},
  notes: [
    'With --url, FILE is a file name: it is written to the folder of backups of that host (--backup-dir).',
  ],
  store: 'opens',
  async run(session) {
    const { given, terminal, open } = session;
    const { client, through } = await open();
    const named = given.argument('FILE');
    // Only the failure of its job tells of it otherwise; on a host's machine nothing can be looked at from here.
    if (through !== 'host' && existsSync(named)) {
      throw new CommandFailed(
        EXIT.conflict,
        `There is a file ${named} already. A backup writes over nothing: choose another name.`,
        { file: named },
      );
    }
    const started = await client.store.backup({ file: through === 'host' ? named : resolve(named) });
    const job = await followJob(session, client, started);
    await terminal.answer(job, () => [`Backed up to ${job.result ?? named} (${formatBytes(job.done)}).`]);
    return undefined;
  },
};
