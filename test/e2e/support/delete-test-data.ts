import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { DEFAULT_SETTINGS, SETTINGS } from '../../../shared/contract/settings.ts';
import { HOME_CONNECTION } from '../../../shared/model/transport/connection-id.ts';
import type { Rest } from './rest.ts';

const named = z.array(z.object({ name: z.string() }));
const connected = z.array(z.object({ id: z.string(), environment: z.string() }));
const reaper = z.object({ paused: z.unknown(), holds: z.array(z.unknown()) });

async function removeEach(rest: Rest, path: string): Promise<void> {
  const found = named.parse(await rest('GET', path));
  await Promise.all(found.map(({ name }) => rest('DELETE', `${path}/${encodeURIComponent(name)}`)));
}

/** Removes all connections but home, which is reset to development. Their files are in the test's folder. */
async function resetConnections(rest: Rest): Promise<void> {
  const found = connected.parse(await rest('GET', '/api/connections'));
  const others = found.filter(({ id }) => id !== HOME_CONNECTION);
  await Promise.all(others.map(({ id }) => rest('DELETE', `/api/connections/${id}`)));
  if (found.some(({ id, environment }) => id === HOME_CONNECTION && environment === 'production'))
    await rest('PATCH', `/api/connections/${HOME_CONNECTION}`, { environment: 'development' });
}

async function resetSettings(rest: Rest): Promise<void> {
  if (isDeepStrictEqual(await rest('GET', '/api/settings'), DEFAULT_SETTINGS)) return;
  await rest('PATCH', '/api/settings', Object.fromEntries(Object.keys(SETTINGS).map(name => [name, null])));
}

/** Ends pauses and holds of the store; those of a collection end with it. */
async function endPausesAndHolds(rest: Rest): Promise<void> {
  const { paused, holds } = reaper.parse(await rest('GET', '/api/reaper'));
  if (paused !== null) await rest('POST', '/api/reaper/resume');
  if (holds.length > 0) await rest('POST', '/api/reaper/confirm', {});
}

/**
 * Deletes the data of a test before the next one: collections with their pauses and holds, connections, tokens, settings.
 * History stays (feed, passes, charts, restorable copies): there a test filters by its own collection.
 */
export async function deleteTestData(rest: Rest): Promise<void> {
  await Promise.all([
    removeEach(rest, '/api/collections'),
    removeEach(rest, '/api/tokens'),
    resetConnections(rest),
    resetSettings(rest),
  ]);
  await endPausesAndHolds(rest);
}
