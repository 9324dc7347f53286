import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Client, COLLECTION } from './recorder.ts';

const expiredAnswer = z.object({
  expired: z.array(
    z.object({
      id: z.string(),
      _id: z.string(),
      revision: z.number(),
      action: z.string(),
      isRestored: z.boolean(),
      restorable: z.unknown(),
    }),
  ),
});
const jobAnswer = z.object({ id: z.string(), state: z.string() });
const POLL_MS = 10;

/** Restores the latest removals, pinned. */
export async function restore({ random, recorder, call }: Client): Promise<void> {
  const entries = (await restorable({ recorder, call })).slice(0, random.between(1, 3));
  if (entries.length === 0) return;
  const what = { ids: entries.map(({ id }) => id) };
  const answered = await call('POST', '/api/expired/restore', { what });
  if (answered.answer !== null && answered.answer.status !== 200)
    return recorder.refused('a restore', answered.answer);
  const answer = answered.answer === null ? 'unknown' : 'tried';
  for (const id of new Set(entries.map(({ _id }) => _id)))
    recorder.note(id, answered, { is: 'restore', versions: recorder.versionsOf(id), answer });
}

/** Erases the latest removals that the main watch has received, so that their events are known. */
export async function purge({ random, recorder, call, received }: Client): Promise<void> {
  const entries = (await restorable({ recorder, call }))
    .filter(one => one.action === 'delete' && !one.isRestored && one.revision <= received())
    .slice(0, random.between(1, 5));
  if (entries.length === 0) return;
  // Also without an answer, events up to the removal may be gone.
  recorder.purges.push(...entries.map(({ _id, revision }) => ({ _id, revision })));
  const ids = entries.map(({ id }) => id);
  let { answer } = await call('POST', '/api/expired/purge', { what: { ids } });
  for (;;) {
    if (answer === null) return;
    if (answer.status !== 200) return recorder.refused('a purge', answer);
    const { id, state } = jobAnswer.parse(answer.body);
    if (state !== 'running') break;
    await wait(POLL_MS);
    ({ answer } = await call('GET', `/api/jobs/${id}`));
  }
  recorder.count('purges');
  const left = (await restorable({ recorder, call })).filter(({ id }) => ids.includes(id));
  if (left.length > 0)
    recorder.failures.push(`restorable after a purge: ${left.map(({ _id }) => _id).join(', ')}`);
}

/** Returns the latest removals of the epoch's documents that can be restored. */
async function restorable({ recorder, call }: Pick<Client, 'recorder' | 'call'>) {
  const { answer } = await call('GET', `/api/expired?collection=${COLLECTION}&limit=20`);
  if (answer === null) return [];
  if (answer.status !== 200) {
    recorder.refused('a list of removals', answer);
    return [];
  }
  const { expired } = expiredAnswer.parse(answer.body);
  return expired.filter(({ _id, restorable }) => restorable !== null && recorder.ids.includes(_id));
}
