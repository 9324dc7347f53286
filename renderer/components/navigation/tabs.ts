import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { createStore, useStore } from '../../state/store.ts';
import { goTo, onPlaceChange, setHistoryState } from './location.ts';

/** A place that is kept open in the window. */
export interface Tab {
  id: number;
  /** Address of its page: `#/collections/sessions/documents`. */
  href: string;
  title: string;
}

export interface Tabs {
  /** At least one. */
  list: readonly Tab[];
  active: number;
}

const KEY = 'sandglass.tabs';
const MOST = 30;
const stored = z.object({
  list: z.array(z.object({ id: z.number(), href: z.string().startsWith('#'), title: z.string() })).min(1),
  active: z.number(),
});
const historyState = z.object({ tab: z.number() });

const tabs = createStore<Tabs>({ list: [{ id: 1, href: '#/overview', title: t`Overview` }], active: 1 });

function set(next: Tabs): void {
  sessionStorage.setItem(KEY, JSON.stringify(next));
  tabs.set(next);
}

/**
 * Called once, before the first render. Each entry of the browser's history belongs to the tab in which it was made, so that
 * back and forward return to that tab.
 */
export function startTabs(): void {
  const before = parse(sessionStorage.getItem(KEY));
  if (before !== null) tabs.set(before);
  setHistoryState(() => ({ tab: tabs.get().active }));
  follow();
  onPlaceChange(follow);
}

function parse(text: string | null): Tabs | null {
  if (text === null) return null;
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // A record of another version.
    return null;
  }
}

/** The present address belongs to the tab of its history entry, if that is open; else, as after a click on a link, to the active one. */
function follow(): void {
  const state = historyState.safeParse(history.state);
  const next = withPlace(tabs.get(), state.success ? state.data.tab : null, location.hash || '#/overview');
  if (!state.success) history.replaceState({ tab: next.active }, '');
  set(next);
}

/**
 * Returns the tabs with the place of one of them, which becomes active.
 * @internal
 */
export function withPlace({ list, active }: Tabs, owner: number | null, href: string): Tabs {
  const at = list.some(({ id }) => id === owner) ? (owner ?? active) : active;
  return { list: list.map(tab => (tab.id === at ? { ...tab, href } : tab)), active: at };
}

/**
 * Returns the tabs with another one after the active one.
 * @internal
 */
export function withTab({ list, active }: Tabs, href: string, title: string): { tabs: Tabs; added: number } {
  const added = Math.max(...list.map(({ id }) => id)) + 1;
  const at = list.findIndex(({ id }) => id === active) + 1;
  return { tabs: { list: list.toSpliced(at, 0, { id: added, href, title }), active }, added };
}

/**
 * Returns the tabs without one; its right neighbour becomes active, or the left one. The last tab stays.
 * @internal
 */
export function withoutTab({ list, active }: Tabs, id: number): Tabs {
  const at = list.findIndex(tab => tab.id === id);
  if (at === -1 || list.length === 1) return { list, active };
  const next = list[at + 1] ?? list[at - 1];
  return {
    list: list.filter(tab => tab.id !== id),
    active: id === active && next !== undefined ? next.id : active,
  };
}

/**
 * Returns the tabs with one moved, 1 to the right, -1 to the left.
 * @internal
 */
export function withMoved({ list, active }: Tabs, id: number, by: 1 | -1): Tabs {
  const at = list.findIndex(tab => tab.id === id);
  const tab = list[at];
  const to = at + by;
  if (tab === undefined || to < 0 || to >= list.length) return { list, active };
  return { list: list.toSpliced(at, 1).toSpliced(to, 0, tab), active };
}

/** Opens a place in a new tab; in the background, the present one stays. */
export function openTab(href = location.hash, { inBackground = false, title = titleOf(href) } = {}): void {
  const { list } = tabs.get();
  if (list.length >= MOST) return;
  const next = withTab(tabs.get(), href, title);
  set(next.tabs);
  if (!inBackground) activateTab(next.added);
}

export function activateTab(id: number): void {
  const { list, active } = tabs.get();
  const tab = list.find(one => one.id === id);
  if (tab === undefined || id === active) return;
  set({ list, active: id });
  if (tab.href === location.hash) history.pushState({ tab: id }, '');
  else goTo(tab.href);
}

export function closeTab(id = tabs.get().active): void {
  const { active } = tabs.get();
  const next = withoutTab(tabs.get(), id);
  // Another tab is activated before this one is removed, so that each tab keeps its own place.
  if (next.active !== active) activateTab(next.active);
  set(withoutTab(tabs.get(), id));
}

export function moveTab(id: number, by: 1 | -1): void {
  set(withMoved(tabs.get(), id, by));
}

/** Activates the next tab, or the previous one, cyclically. */
export function stepTab(by: 1 | -1): void {
  const { list, active } = tabs.get();
  const at = list.findIndex(({ id }) => id === active);
  const next = list[(at + by + list.length) % list.length];
  if (next !== undefined) activateTab(next.id);
}

/** Sets the title of the active tab. */
export function nameTab(title: string): void {
  const { list, active } = tabs.get();
  if (list.some(tab => tab.id === active && tab.title !== title))
    set({ list: list.map(tab => (tab.id === active ? { ...tab, title } : tab)), active });
}

export function useTabs(): Tabs {
  return useStore(tabs);
}

/** Returns the title of a tab until its page is shown: `a` for `#/collections/a/documents`. */
function titleOf(href: string): string {
  const [page = 'overview', name] = href.replace(/^#\/?(on\/[^/]+\/)?/, '').split(/[/?]/);
  if (page === 'collections' && name !== undefined) return safelyDecoded(name);
  return page.slice(0, 1).toUpperCase() + page.slice(1);
}

function safelyDecoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
