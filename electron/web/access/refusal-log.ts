import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import type { RunningEngine } from '../engine/running-engine.ts';

const MINUTE_MS = 60_000;
/** Told to the audit log one by one in a minute; of more only the number is: an attacker does not keep the engine busy. */
const MOST_A_MINUTE = 60;

export interface Refusal {
  reason: string;
  address: string;
  path: string;
}

/** Tells the home store's audit log of requests that the host refuses by itself. */
export function createRefusals({
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
    tell({ ...refusal, more }).catch(error => log.debug('a refusal was not told', errorFields(error)));
  };

  async function tell(refusal: Refusal & { more: number }): Promise<void> {
    const client: Client = createORPCClient(engineAt().link);
    await client.tokens.noteRefusal(refusal);
  }
}
