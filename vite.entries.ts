/** Entries of `dist/node`, each as NAME.js. They find each other in that folder. */
export const NODE_ENTRIES: Readonly<Record<string, string>> = {
  main: 'electron/main.ts',
  serve: 'electron/serve.ts',
  sandglass: 'electron/cli/sandglass.ts',
  // Started by the benchmark, as by the hosts.
  client: 'electron/engine/client.ts',
  'engine-thread': 'electron/engine/engine-thread.ts',
  'reader-thread': 'electron/engine/reader-thread.ts',
  'file-work-thread': 'electron/engine/backends/embedded/file/file-work-thread.ts',
  'backup-thread': 'electron/engine/backends/embedded/file/backup-thread.ts',
  'recovery-thread': 'electron/engine/backends/embedded/file/recovery-thread.ts',
  'checkpoint-thread': 'electron/engine/backends/embedded/file/checkpoint-thread.ts',
  'probe-thread': 'electron/engine/backends/embedded/file/probe-thread.ts',
};
