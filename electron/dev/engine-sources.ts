/** Folders and files of `electron` that the served host does not load. */
const OTHER_PROGRAMS = /^electron\/((cli|desktop|dev)\/|main\.ts$|preload\.ts$|[a-z]+\.mjs$)/;

/** Returns whether the engine must be restarted after a change of this file; `path` is relative to the root. */
export function isEngineSource(path: string): boolean {
  return /^(electron|shared)\/.*\.(ts|mjs)$/.test(path) && !OTHER_PROGRAMS.test(path);
}
