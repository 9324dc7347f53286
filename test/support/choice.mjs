// Selection of the test files of a run.

/**
 * The desktop host's own tests that every run includes: window security, start and end. playwright.config.ts selects the host of
 * all others.
 */
const DESKTOP_ALWAYS = ['guards', 'life'].map(name => `test/e2e/desktop/${name}.test.ts`);

/** Measures frames for minutes. */
const FRAMES = 'test/e2e/frames.timing.test.ts';

/**
 * @param {readonly string[]} files Every test file, by its path from the root.
 * @param {readonly string[]} names Only files whose path contains one of them; all files of the run if empty.
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
