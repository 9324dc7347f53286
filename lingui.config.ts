import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** The message catalogues of the window: `npm run messages` extracts its English messages into them. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'zh-Hans'],
  catalogs: [{ path: '<rootDir>/renderer/locales/{locale}', include: ['<rootDir>/renderer'] }],
  // Without line numbers: an edit elsewhere in a file changes no catalogue.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  extractors: [createSwcExtractor()],
  // The import of `#i18n` waits for the catalogue, so that constants of modules may hold messages too.
  runtimeConfigModule: { i18n: ['#i18n', 'i18n'], Trans: ['#trans', 'Trans'] },
});
