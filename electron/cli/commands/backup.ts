import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatBytes } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import type { Command } from '../session/command.ts';
import { followJob } from '../session/follow-job.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent, verified copy of the store to a file, also while it is in use',
  arguments: [{ name: 'FILE' }],
  options: {},
  notes: ['With --url, FILE is a file name in the backup folder of that host (--backup-dir).'],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const { client, through } = await open();
    const name = args.argument('FILE');
    // Reported before a job is started. Files of a host's machine cannot be checked from here.
    if (through !== 'host' && existsSync(name)) {
      throw new CommandFailed(
        EXIT.conflict,
        `There is a file ${name} already. A backup overwrites no file: choose another name.`,
        { file: name },
      );
    }
    const started = await client.store.backup({ file: through === 'host' ? name : resolve(name) });
    const job = await followJob(session, client, started);
    await terminal.answer(job, () => [`Backed up to ${job.result ?? name} (${formatBytes(job.done)}).`]);
    return undefined;
  },
};
