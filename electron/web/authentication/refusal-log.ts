import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { Permission } from '../../../shared/contract/permissions.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import type { RunningEngine } from '../engine/running-engine.ts';

const MINUTE_MS = 60_000;
/** Further refusals are only counted, so that an attacker cannot keep the engine busy. */
const MOST_A_MINUTE = 60;

export interface Refusal {
  reason: string;
  address: string;
  path: string;
}

/** Returns the reason that the audit log records for a caller without the needed permission [P3]. */
export function permissionRefusal(
  { user, permission }: Pick<Caller, 'user' | 'permission'>,
  needed: Permission,
  path: readonly string[],
): string {
  return `${user} has ${permission}, ${path.join('.')} needs ${needed}`;
}

/** Returns a function that writes the requests refused by the host to the home store's audit log. */
export function createRefusalLog({
  engineAt,
  clock,
  log,
}: {
  engineAt(): Pick<RunningEngine, 'link'>;
  clock: Clock;
  log: Logger;
}): (refusal: Refusal) => void {
  let minute = Number.NEGATIVE_INFINITY;
  let count = 0;
  return refusal => {
    const now = Math.floor(clock.elapsed() / MINUTE_MS);
    let more = 0;
    if (now !== minute) {
      more = Math.max(0, count - MOST_A_MINUTE);
      minute = now;
      count = 0;
    }
    count += 1;
    if (count > MOST_A_MINUTE) return;
    write({ ...refusal, more }).catch(error =>
      log.debug('a refusal could not be written to the audit log', errorFields(error)),
    );
  };

  async function write(refusal: Refusal & { more: number }): Promise<void> {
    const client: Client = createORPCClient(engineAt().link);
    await client.tokens.noteRefusal(refusal);
  }
}
