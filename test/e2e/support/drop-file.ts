import { expect, type Page } from '@playwright/test';

/** Drops a file with this name on the window. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  // A window accepts a file after its first paint.
  await expect(page.getByRole('main')).toBeVisible();
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      dispatchEvent(new DragEvent('drop', { dataTransfer }));
    },
    [name, text] as const,
  );
}
