import type { Page } from '@playwright/test';

/** Selectors of controls, headings and labels: text of the window, not of the user's data. */
const LABELS =
  'button, [role="button"], [role="tab"], [role="radio"], [role="switch"], [role="menuitem"], a, th, label, legend, dt, h1, h2, h3, .chip';

/** Selectors of text that may be cut, with the whole text in a title: names in the user's data, and the search hint. */
const MEANT_TO_BE_CUT = 'nav a *, a.name, header button .ell, bdi';

/**
 * Returns the visible labels whose text is cut off: wider than their own box, or beyond the edge of a box around them
 * that clips. Text that scrolls into sight is not cut off.
 */
export function findCutText(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ labels, meant }) => {
      const isHidden = (element: Element) =>
        element.closest('.visually-hidden, [aria-hidden="true"]') !== null;

      function isWiderThanItsBox(element: Element): boolean {
        const { clientWidth, scrollWidth } = element;
        // An ellipsis begins with a fraction of a pixel.
        const allowed = getComputedStyle(element).textOverflow === 'ellipsis' ? 0 : 1;
        return clientWidth > 0 && scrollWidth > clientWidth + allowed;
      }

      /** The part of the element that is cut, or the box around it that cuts it. */
      function cutPartOf(element: Element): Element | undefined {
        const cut = [element, ...element.querySelectorAll('*')].find(
          part => part.textContent?.trim() !== '' && !isHidden(part) && isWiderThanItsBox(part),
        );
        if (cut !== undefined) return cut;
        const { left, right } = element.getBoundingClientRect();
        for (let around = element.parentElement; around !== null; around = around.parentElement) {
          const { overflowX } = getComputedStyle(around);
          if (overflowX === 'auto' || overflowX === 'scroll') return undefined;
          const box = around.getBoundingClientRect();
          if (overflowX !== 'visible' && (right > box.right + 1 || left < box.left - 1)) return around;
        }
        return right > innerWidth + 1 || left < -1 ? document.body : undefined;
      }

      return [...document.querySelectorAll<HTMLElement>(labels)].flatMap(element => {
        const text = element.innerText.replaceAll(/\s+/g, ' ').trim();
        if (text === '' || isHidden(element) || !element.checkVisibility({ visibilityProperty: true }))
          return [];
        const part = cutPartOf(element);
        if (part === undefined) return [];
        const hasTitle = part.closest('[title]') !== null || element.querySelector('[title]') !== null;
        if (hasTitle && (part.matches(meant) || element.matches(meant))) return [];
        return [`“${text}” in ${part.tagName.toLowerCase()}.${part.className}`];
      });
    },
    { labels: LABELS, meant: MEANT_TO_BE_CUT },
  );
}
