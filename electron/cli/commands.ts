import { backup } from './commands/backup.ts';
import { collectionCommands } from './commands/collections.ts';
import { connectionCommands } from './commands/connection.ts';
import { expirationCommands } from './commands/expiration.ts';
import { expired } from './commands/expired.ts';
import { exportCommand } from './commands/export.ts';
import { helpCommand } from './commands/help.ts';
import { importCommand } from './commands/import.ts';
import { leaseCommands } from './commands/leases.ts';
import { maintenanceCommands } from './commands/maintenance.ts';
import { policyCommands } from './commands/policy.ts';
import { reaperCommands } from './commands/reaper.ts';
import { restore } from './commands/restore.ts';
import { serve } from './commands/serve.ts';
import { settings } from './commands/settings.ts';
import { tokenCommands } from './commands/token.ts';
import { ttlCreate } from './commands/ttl-create.ts';
import { ttlCreateIndex } from './commands/ttl-create-index.ts';
import { ttlDrop } from './commands/ttl-drop.ts';
import { ttlExplain } from './commands/ttl-explain.ts';
import { ttlHistory, ttlRevert } from './commands/ttl-history.ts';
import { ttlList } from './commands/ttl-list.ts';
import { ttlPreview } from './commands/ttl-preview.ts';
import { ttlSet } from './commands/ttl-set.ts';
import { watch } from './commands/watch.ts';
import type { Command } from './session/command.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serve,
  ...collectionCommands,
  importCommand,
  exportCommand,
  ttlCreate,
  ttlList,
  ttlSet,
  ttlDrop,
  ttlCreateIndex,
  ttlPreview,
  ttlExplain,
  ttlHistory,
  ttlRevert,
  ...policyCommands,
  ...leaseCommands,
  watch,
  ...reaperCommands,
  ...expirationCommands,
  expired,
  restore,
  settings,
  backup,
  ...maintenanceCommands,
  ...tokenCommands,
  ...connectionCommands,
  helpCommand(() => COMMANDS),
];
