import {
  createIndexSeeingItsEffect,
  loadSampleData,
  openFile,
  watchSampleLeave,
  watchThemLeave,
  writeSessions,
} from '../support/three-clicks.ts';
import { test } from './support/app.ts';

// The story that must work from a first start with nothing read, in both hosts in every run: the same window, the same
// engine, and between them a socket here and Electron's ports there.
test('open a file, create a TTL index with its exact effect seen first, watch documents leave', async ({
  app,
}) => {
  const sessions = await writeSessions(app.folder);
  await openFile(app, sessions);
  await createIndexSeeingItsEffect(app.page, sessions);
  await watchThemLeave(app.page);
});

test('load the sample data and watch documents leave', async ({ app: { page } }) => {
  await loadSampleData(page);
  await watchSampleLeave(page);
});
