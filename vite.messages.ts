import type { LinguiPluginOpts } from '@lingui/vite-plugin';

/** Messages of the window, for every build that has its sources: the English message stays in place in production too. */
export const MESSAGES: LinguiPluginOpts = {
  macroTransform: { macro: { descriptorFields: 'message' } },
  failOnCompileError: true,
};
