import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/**
 * Runs axe once in the page. Its source is evaluated once per page: code that is evaluated again is compiled again, which takes
 * as long as the checks.
 */
async function findGrave(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // A text that still changes its colour has less contrast than it will have.
    const ending = document
      .getAnimations()
      .filter(one => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    // Details of passed checks take half of the time.
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Expects no serious or critical accessibility violation on the present page. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findGrave(page)).toEqual([]);
}
