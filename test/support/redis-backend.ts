import { onTestFinished, vi } from 'vitest';
import {
  openRedis,
  type RedisBackend,
  type RedisOptions,
} from '../../electron/engine/backends/redis/redis-backend.ts';
import { MeterRegistry } from '../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import type { MirrorState } from '../../shared/contract/capabilities.ts';
import { silentLog } from './redis-connection.ts';
import { temporaryStoreFile } from './temporary.ts';

/** Opens a server for the running test, with a mirror of its own. */
export async function openTestRedis(
  uri: string,
  options: Partial<RedisOptions> = {},
): Promise<{ backend: RedisBackend; meters: MeterRegistry; mirrorFile: string }> {
  const meters = new MeterRegistry();
  const mirrorFile = options.mirrorFile ?? temporaryStoreFile();
  const backend = await openRedis({
    uri,
    mirrorFile,
    clock: systemClock,
    log: silentLog,
    meters,
    readOnly: false,
    ...options,
  });
  onTestFinished(() => backend.close());
  return { backend, meters, mirrorFile };
}

/** Resolves when the mirror is in one of these states. */
export async function mirrored(backend: RedisBackend, ...states: MirrorState['is'][]): Promise<void> {
  await vi.waitFor(
    () => {
      const { mirror } = backend.remote;
      if (mirror === null || !states.includes(mirror.is)) throw new Error(JSON.stringify(mirror));
    },
    { timeout: 45_000, interval: 10 },
  );
}

/** Resolves when `check` passes; rejects with its last failure. */
export function eventually(check: () => unknown, timeout = 10_000): Promise<unknown> {
  return vi.waitFor(check, { timeout, interval: 20 });
}
