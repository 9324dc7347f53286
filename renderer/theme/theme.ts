import { mediaQueryStore } from '../state/media-query.ts';
import { createStore, useStore } from '../state/store.ts';

/** `public/before-paint.js` reads the same key before the first paint. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'sandglass.theme';
const systemIsDark = mediaQueryStore('(prefers-color-scheme: dark)');
const chosen = createStore<Theme>(THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system');
const isDark = createStore(document.documentElement.dataset.theme === 'dark');

function apply(): void {
  const theme = chosen.get();
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark.get());
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  isDark.set(dark);
}
systemIsDark.subscribe(apply);

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  chosen.set(theme);
  apply();
}

/** The chosen theme; may be `system`. */
export const useTheme = (): Theme => useStore(chosen);

/** Whether the theme shown is dark. */
export const useIsDark = (): boolean => useStore(isDark);

/** Returns the next choice in the cycle of system, light, dark. */
export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
}
