/** Folders and files of `electron` that the served host does not load. */
const OTHER_PROGRAMS = /^electron\/((cli|desktop|dev)\/|main\.ts$|preload\.ts$|[a-z]+\.mjs$)/;

/** Whether a change of a file, by its path from the root, needs another engine. */
export function isEngineSource(path: string): boolean {
  return /^(electron|shared)\/.*\.(ts|mjs)$/.test(path) && !OTHER_PROGRAMS.test(path);
}
