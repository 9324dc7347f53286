// Which test files a run is of.

/**
 * Of the desktop host's own tests, what every run has: that its window is locked down, and how it lives and ends. In which
 * host the others run says playwright.config.ts.
 */
const DESKTOP_ALWAYS = ['guards', 'life'].map(name => `test/e2e/desktop/${name}.test.ts`);

/** The window's frames are measured for minutes. */
const FRAMES = 'test/e2e/frames.timing.test.ts';

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
    file => file !== FRAMES && (!file.startsWith('test/e2e/desktop/') || DESKTOP_ALWAYS.includes(file)),
  );
}
