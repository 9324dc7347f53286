import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles, violationsOf } from './layers.ts';

const root = join(import.meta.dirname, '../..');

describe('layers', () => {
  it('hold in every source file', () => {
    const files = sourceFiles(root);
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(({ path, source }) => violationsOf(path, source))).toEqual([]);
  });

  // Counter-examples.
  it.each([
    ['shared/model/a.ts', `import { z } from '../contract/base.ts';`],
    ['shared/model/a.ts', `import { readFileSync } from 'node:fs';`],
    ['shared/contract/a.ts', `import type { Clock } from '../../electron/engine/platform/clock.ts';`],
    ['electron/engine/expiry/a.ts', `import Sqlite from 'better-sqlite3';`],
    ['electron/engine/expiry/a.ts', `import { Writer } from '../backends/embedded/write/writer.ts';`],
    ['electron/engine/api/a.ts', `import { Writer } from '../backends/embedded/write/writer.ts';`],
    ['electron/engine/backends/embedded/tables/a.ts', `import { migrate } from '../file/migrate.ts';`],
    ['electron/engine/backends/embedded/file/a.ts', `import { Writer } from '../write/writer.ts';`],
    ['electron/engine/backends/embedded/tables/a.ts', `import { Writer } from '../write/writer.ts';`],
    ['electron/engine/backends/embedded/read/a.ts', `import { Writer } from '../write/writer.ts';`],
    [
      'electron/engine/backends/embedded/write/a.ts',
      `import { IndexDefinitions } from '../definitions/index-definitions.ts';`,
    ],
    ['electron/engine/jobs/a.ts', `import type { Engine } from '../api/context.ts';`],
    ['electron/engine/monitoring/a.ts', `import { reaper } from '../api/reaper.ts';`],
    ['electron/engine/platform/a.ts', `import { Slots } from '../access/concurrency-limit.ts';`],
    ['electron/engine/api/a.ts', `import { openConnections } from '../../host/connections.ts';`],
    ['electron/engine/backends/redis/a.ts', `import { Writer } from '../embedded/write/writer.ts';`],
    ['electron/engine/backends/redis/values/a.ts', `import type { Engine } from '../../../engine.ts';`],
    ['electron/engine/backends/redis/scan/a.ts', `import Sqlite from 'better-sqlite3';`],
    ['electron/engine/backends/redis/a.ts', `import Sqlite from 'better-sqlite3';`],
    ['electron/engine/backends/etcd/a.ts', `import Sqlite from 'better-sqlite3';`],
    ['electron/engine/backends/etcd/a.ts', `import { openRedis } from '../redis/redis-backend.ts';`],
    ['electron/engine/backends/mirrored/a.ts', `import { openRedis } from '../redis/redis-backend.ts';`],
    ['electron/engine/backends/postgresql/a.ts', `import { openRedis } from '../redis/redis-backend.ts';`],
    [
      'electron/engine/backends/postgresql/governed/a.ts',
      `import { readCatalog } from '../catalog/catalog.ts';`,
    ],
    [
      'electron/engine/backends/postgresql/connection/a.ts',
      `import { Reaper } from '../governed/reaper.ts';`,
    ],
    ['electron/engine/backends/redis/a.ts', `import { LeaseTable } from '../etcd/leases/lease-table.ts';`],
    [
      'electron/engine/backends/redis/a.ts',
      `import { IndexTable } from '../../deadline-index/index-table.ts';`,
    ],
    ['electron/engine/backends/embedded/read/a.ts', `import { openRedis } from '../../redis/open-redis.ts';`],
    [
      'electron/engine/backends/embedded/read/a.ts',
      `import { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';`,
    ],
    ['electron/engine/deadline-index/a.ts', `import { Meta } from '../backends/embedded/tables/meta.ts';`],
    ['electron/engine/metric-series/a.ts', `import { Meta } from '../backends/embedded/tables/meta.ts';`],
    ['electron/engine/deadline-index/a.ts', `import type { Backend } from '../backends/backend.ts';`],
    [
      'electron/engine/deadline-index/a.ts',
      `import { DeadlineMirror } from '../deadline-mirror/deadline-mirror.ts';`,
    ],
    ['electron/engine/deadline-mirror/a.ts', `import { Meta } from '../backends/embedded/tables/meta.ts';`],
    ['electron/engine/deadline-mirror/a.ts', `import { openRedis } from '../backends/redis/open-redis.ts';`],
    ['electron/engine/client.ts', `import { openEngine } from './engine.ts';`],
    ['electron/engine/engine-thread.ts', `import { app } from 'electron';`],
    ['electron/web/a.ts', `import { openEngine } from '../engine/engine.ts';`],
    ['electron/cli/output/a.ts', `import { parseArguments } from '../syntax/parsed-arguments.ts';`],
    ['electron/cli/syntax/a.ts', `import type { Session } from '../session/command.ts';`],
    ['electron/cli/session/a.ts', `import { watch } from '../commands/watch.ts';`],
    ['electron/cli/commands/a.ts', `import { COMMANDS } from '../commands.ts';`],
    ['electron/cli/commands/a.ts', `import { startEngine } from '../../engine/client.ts';`],
    ['electron/preload.ts', `import { readFileSync } from 'node:fs';`],
    ['electron/launch.mjs', `import { WebSocket } from 'ws';`],
    ['electron/dev.mjs', `import { createServer } from 'vite';`],
    ['electron/dev/a.ts', `import { openEngine } from '../engine/engine.ts';`],
    ['renderer/components/A.tsx', `import { client } from '../api.ts';`],
    ['renderer/state/a.ts', `import { useTheme } from '../theme/theme.ts';`],
    ['renderer/components/A.tsx', `export * from '../features/documents/Rows.tsx';`],
    ['renderer/features/documents/A.tsx', `import { Timeline } from '../timeline/Timeline.tsx';`],
    ['renderer/features/documents/A.tsx', `const lazy = import('../../pages/Overview.tsx');`],
    ['renderer/components/controls/A.tsx', `import { Menu } from '../overlays/Menu.tsx';`],
    ['renderer/components/data-grid/A.tsx', `import { RestCall } from '../RestCall.tsx';`],
    ['renderer/features/documents/list/a.ts', `import type { Column } from '../table/columns.ts';`],
    ['renderer/features/documents/staging/a.ts', `import { draftsOf } from '../editor/drafts.ts';`],
    ['renderer/features/documents/table/A.tsx', `import { DocumentsView } from '../DocumentsView.tsx';`],
    ['renderer/features/documents/unlisted/a.ts', ``],
    [
      'renderer/features/ttl-indexes/preview/A.tsx',
      `import { BeforeAfter } from '../review/BeforeAfter.tsx';`,
    ],
    ['renderer/features/activity/history/a.ts', `import { passSource } from '../passes/pass-source.ts';`],
    ['renderer/features/timeline/model/a.ts', `import { buildScene } from '../scene/scene.ts';`],
    ['renderer/pages/A.tsx', `import { join } from 'node:path';`],
    ['somewhere/else.ts', ``],
  ])('%s may not contain %s', (path, source) => {
    expect(violationsOf(path, source)).toHaveLength(1);
  });

  it.each([
    ['shared/contract/a.ts', `import { parseDuration } from '../model/duration.ts';`],
    ['electron/engine/api/a.ts', `import type { Backend } from '../backends/backend.ts';`],
    [
      'electron/engine/backends/embedded/write/a.ts',
      `import { IndexTable } from '../../../deadline-index/index-table.ts';`,
    ],
    [
      'electron/engine/deadline-mirror/a.ts',
      `import { IndexTable } from '../deadline-index/index-table.ts';`,
    ],
    [
      'electron/engine/backends/redis/a.ts',
      `import { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';`,
    ],
    ['electron/engine/engine-thread.ts', `import { router } from './api/router.ts';`],
    ['electron/cli/commands/a.ts', `import type { Command } from '../session/command.ts';`],
    ['electron/cli/commands.ts', `import { watch } from './commands/watch.ts';`],
    ['renderer/features/documents/table/A.tsx', `import classes from '../documents.module.css';`],
    ['renderer/features/documents/A.tsx', `import { rows } from './rows.ts';`],
    ['renderer/api/live-store.ts', `import { createStore } from '../state/store.ts';`],
    ['renderer/features/documents/A.tsx', `import { Throttle } from './list/throttle.ts';`],
    ['renderer/features/documents/table/A.tsx', `import type { Sort } from './sorting.ts';`],
    ['renderer/features/documents/table/a.ts', `import { rowsOf } from '../list/pager-snapshot.ts';`],
    ['renderer/pages/A.tsx', `import { Timeline } from '../features/timeline/Timeline.tsx';`],
  ])('%s may contain %s', (path, source) => {
    expect(violationsOf(path, source)).toEqual([]);
  });
});
