import { fileURLToPath } from 'node:url';
import lingui from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { MESSAGES } from '../../../vite.messages.ts';

/** `vite test/bench/timeline-page` serves the page with hot reload. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../../node_modules/.vite-timeline-page', import.meta.url)),
  plugins: [lingui(MESSAGES), react()],
  server: {
    port: 5199,
    strictPort: true,
    fs: { allow: [fileURLToPath(new URL('../../..', import.meta.url))] },
  },
});
