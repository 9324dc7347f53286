import { expect, type Page } from '@playwright/test';

/** Drops a file with this name on the window, as soon as it takes files: it cancels the event then. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const isTaken = () =>
    page.evaluate(
      ([fileName, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], fileName));
        return !dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      },
      [name, text] as const,
    );
  await expect.poll(isTaken).toBe(true);
}
