import {
  createIndexSeeingItsEffect,
  loadSampleData,
  openFile,
  watchSampleLeave,
  watchThemLeave,
  writeSessions,
} from '../support/three-clicks.ts';
import { test } from './support/app.ts';

// The first steps of a new user, in both hosts in every run: the same window and engine, connected by a socket here and by
// Electron's ports there.
test('open a file, create a TTL index with its exact effect shown first, watch documents expire', async ({
  app,
}) => {
  const sessions = await writeSessions(app.folder);
  await openFile(app, sessions);
  await createIndexSeeingItsEffect(app.page, sessions);
  await watchThemLeave(app.page);
});

test('load the sample data and watch documents expire', async ({ app: { page } }) => {
  await loadSampleData(page);
  await watchSampleLeave(page);
});
