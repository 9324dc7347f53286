import { test } from '@playwright/test';
import { HOSTS } from '../support/hosts.ts';
import {
  createIndexSeeingItsEffect,
  loadSampleData,
  openFile,
  watchSampleLeave,
  watchThemLeave,
  writeSessions,
} from '../support/three-clicks.ts';

// The story that must work from a first start with nothing read, through every host: the same window, the same
// engine, and between them a socket here and Electron's ports there.
for (const host of HOSTS) {
  test.describe(`in ${host.name}`, () => {
    test('open a file, create a TTL index with its exact effect seen first, watch documents leave', async ({
      browser,
    }) => {
      const app = await host.start(browser);
      const sessions = await writeSessions(app.folder);
      await openFile(app, sessions);
      await createIndexSeeingItsEffect(app.page, sessions);
      await watchThemLeave(app.page);
      await app.stop();
    });

    test('load the sample data and watch documents leave', async ({ browser }) => {
      const app = await host.start(browser);
      await loadSampleData(app.page);
      await watchSampleLeave(app.page);
      await app.stop();
    });
  });
}
