// Which test files a run is of.

/**
 * Of the desktop host's own tests, what every run has: that its window is locked down, and how it lives and ends. The
 * three-click story runs in both hosts wherever it runs.
 */
const DESKTOP_ALWAYS = ['guards', 'life'].map(name => `test/e2e/desktop/${name}.test.ts`);

/** Measures for a minute or two what the others only use: whether the window keeps its frames. */
const FRAMES = 'test/e2e/frames.timing.test.ts';

/**
 * @param {readonly string[]} files Every test file, by its path from the root.
 * @param {readonly string[]} names Only files whose path holds one of them; none: whatever the run is for.
 * @param {boolean} all The whole of the desktop host's tests, and the window's frames, too.
 * @returns {string[]}
 */
export function chosenFiles(files, names, all) {
  if (names.length > 0) return files.filter(file => names.some(name => file.includes(name)));
  if (all) return [...files];
  return files.filter(
    file => file !== FRAMES && (!file.startsWith('test/e2e/desktop/') || DESKTOP_ALWAYS.includes(file)),
  );
}
