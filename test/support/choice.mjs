// Which test files a run is of.

/**
 * Of the desktop host's own tests, what every run has: that its window is locked down, and how it lives and ends. The
 * three-click story runs in both hosts wherever it runs.
 */
const DESKTOP_ALWAYS = ['guards', 'life'].map(name => `test/e2e/desktop/${name}.test.ts`);

/**
 * What keeps `npm test` under ten minutes by its absence: the window's frames, which are measured for minutes, and screens
 * whose calls and words have tests of their own.
 */
const ONLY_IN_ALL = [
  'activity',
  'documents-filter',
  'documents-reload',
  'frames.timing',
  'import-export',
  'settings',
  'ttl-policy',
  'whole-lists',
].map(name => `test/e2e/${name}.test.ts`);

/**
 * @param {readonly string[]} files Every test file, by its path from the root.
 * @param {readonly string[]} names Only files whose path holds one of them; none: whatever the run is for.
 * @param {boolean} all Every one.
 * @returns {string[]}
 */
export function chosenFiles(files, names, all) {
  if (names.length > 0) return files.filter(file => names.some(name => file.includes(name)));
  if (all) return [...files];
  return files.filter(
    file =>
      !ONLY_IN_ALL.includes(file) && (!file.startsWith('test/e2e/desktop/') || DESKTOP_ALWAYS.includes(file)),
  );
}
