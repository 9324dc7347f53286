import { useSyncExternalStore } from 'react';

/** Light, dark, or whatever the system says. public/before-paint.js reads the same key before the first paint. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'sandglass.theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme = THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system';

function apply(): void {
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
systemDark.addEventListener('change', apply);

export function setTheme(theme: Theme): void {
  chosen = theme;
  localStorage.setItem(KEY, theme);
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was chosen, not what it comes to. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen);
}

/** What it comes to. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark');
}

/** The next one round: system, light, dark. */
export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
}
