import { useMemo, useSyncExternalStore } from 'react';

/**
 * The address of what is on screen, in the fragment: `#/collections/sessions/documents?state=soon`. Nothing of it
 * reaches a server, it works from a file as well, and back, forward and reload keep the place.
 */
export interface Place {
  /** Decoded segments: `['collections', 'sessions', 'documents']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

type QueryChange = Readonly<Record<string, string | number | null | undefined>>;

const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('popstate', announce);
    addEventListener('hashchange', announce);
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Typed by hand with a lone %: then it means itself.
    return segment;
  }
}

export function readPlace(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The link to a place. Queries of null or undefined are left out. */
export function hrefTo(path: readonly string[], query: QueryChange = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(key, String(value));
  }
  const text = search.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function goTo(href: string, { replace = false } = {}): void {
  if (href === location.hash) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  announce();
}

/** Where the window is now, outside of a component. */
export function here(): Place {
  return readPlace(location.hash);
}

export function usePlace(): Place {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => readPlace(fragment), [fragment]);
}

/** Changes some of the query and keeps the rest, in place unless it should be a step back can undo. */
export function changeQuery(change: QueryChange, { replace = true } = {}): void {
  const { path, query } = here();
  goTo(hrefTo(path, { ...Object.fromEntries(query), ...change }), { replace });
}

export const toOverview = hrefTo(['overview']);

export type ActivityTab = 'feed' | 'expired' | 'passes';

/** What happened; of one collection with `{ collection }`, and of one index with `index` as well. */
export function toActivity(tab: ActivityTab = 'feed', query: QueryChange = {}): string {
  return hrefTo(tab === 'feed' ? ['activity'] : ['activity', tab], query);
}

export type CollectionTab = 'timeline' | 'documents' | 'ttl-indexes';

/** A collection's page; `documents` takes its filters as a query: `{ state: 'soon', dueFrom, dueTo, index }`. */
export function toCollection(name: string, tab: CollectionTab = 'timeline', query: QueryChange = {}): string {
  return hrefTo(['collections', name, tab], query);
}

/** The form of a new index; `asked` is how it is filled in: `{ field, unit, expireAfter }`, the last in seconds. */
export function toCreateIndex(name: string, asked: QueryChange = {}): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'new'], asked);
}

export function toEditIndex(name: string, index: string): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'edit', index]);
}

/** One index: how it came to be, and what would make it; `revert` asks to undo a change, or the `last` one. */
export function toIndex(name: string, index: string, query: QueryChange = {}): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'index', index], query);
}

/** Charts and findings, of the whole store or of one collection. */
export function toHealth(query: { collection?: string; span?: string } = {}): string {
  return hrefTo(['health'], query);
}

export const SETTINGS_SECTIONS = ['removal', 'holds', 'keeping', 'access', 'backup', 'appearance'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export function toSettings(section?: SettingsSection): string {
  return hrefTo(section === undefined ? ['settings'] : ['settings', section]);
}
