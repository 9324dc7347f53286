import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { ReceivedEvent } from './checker/event-log.ts';
import { COLLECTION, DOCUMENTS, type Recorder } from './recorder.ts';
import { callHost, type RestartingHost } from './restarting-host.ts';

/** Enough with one deadline that an index removes them at once, as an interval of its index table. */
const DOCUMENTS_OF_A_CLIFF = 1_200;
const MOST_CLIFFS = 2;

/** Part of the ids of all cliffs of an epoch. They sort before those of the clients' documents, whose lists leave them out. */
export function cliffPrefix(epoch: number): string {
  return `cliff-${String(epoch).padStart(6, '0')}-`;
}

/** Writes documents that are due at one instant, once or twice while the clients work. */
export async function writeCliffs(
  { host, number }: { host: RestartingHost; number: number },
  { random, recorder }: { random: Random; recorder: Recorder },
  isOver: () => boolean,
): Promise<void> {
  for (let i = 0; i < MOST_CLIFFS && !isOver(); i++) {
    const ids = Array.from({ length: DOCUMENTS_OF_A_CLIFF }, (_, k) => `${cliffPrefix(number)}${i}-${k}`);
    const exp = recorder.time.now() + random.between(100, 600);
    const life = await host.life();
    if (!life.isEnding) {
      const body = ids.map(_id => ({ _id, v: 0, exp }));
      const { answer } = await callHost(life, 'POST', `${DOCUMENTS}?mode=upsert`, body);
      if (answer !== null && answer.status !== 200) recorder.refused('a cliff', answer);
    }
    await wait(random.between(100, 1_000));
  }
}

/** Number of revisions in which so many documents expired that it was at once. */
export function cliffsExpired(events: readonly ReceivedEvent[]): number {
  const byRevision = new Map<number, number>();
  for (const { event } of events) {
    if (event.kind !== 'expire' || event.collection !== COLLECTION) continue;
    byRevision.set(event.revision, (byRevision.get(event.revision) ?? 0) + 1);
  }
  return [...byRevision.values()].filter(count => count >= DOCUMENTS_OF_A_CLIFF).length;
}
