/** A Sandglass instance as a process of its own, which a test kills: `node reaper-process.ts URI`. Writes its state per change. */
import { parsePostgresUri } from '../../electron/engine/backends/postgresql/connection/postgres-uri.ts';
import { SessionPool } from '../../electron/engine/backends/postgresql/connection/session-pool.ts';
import { TableReaper } from '../../electron/engine/backends/postgresql/governed/reaper/reaper.ts';
import { MeterRegistry } from '../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';

const [, , uri = ''] = process.argv;
const pool = new SessionPool(parsePostgresUri(uri), { readOnly: false, clock: systemClock });
const limits = { statementTimeoutMs: 10_000, lockTimeoutMs: 1_000 };
const reaper = new TableReaper({
  openSession: () => pool.open({ name: 'sandglass reaper', readOnly: false, ...limits }),
  clock: systemClock,
  log: createLogger('silent', () => 0),
  meters: new MeterRegistry(),
  onChange: () => process.stdout.write(`${reaper.status.state}\n`),
});
reaper.start();
