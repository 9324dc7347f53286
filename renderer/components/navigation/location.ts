import { useMemo, useSyncExternalStore } from 'react';
import { HOME_CONNECTION } from '../../../shared/model/transport/connection-id.ts';
import { createEmitter } from '../../state/emitter.ts';

/**
 * The address of a page, in the fragment: `#/collections/sessions/documents?state=soon`. It is not sent to a server,
 * works from a file as well, and supports back, forward and reload. Pages of another connection than home begin with
 * its id: `#/on/c2/collections/…`.
 */
export interface Place {
  /** Id of the connection; null: home. */
  readonly connection: string | null;
  /** Decoded segments, without the connection's: `['collections', 'sessions', 'documents']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

type QueryChange = Readonly<Record<string, string | number | null | undefined>>;

const ON = 'on';

const changes = createEmitter(() => {
  addEventListener('popstate', announce);
  addEventListener('hashchange', announce);
  return () => {
    removeEventListener('popstate', announce);
    removeEventListener('hashchange', announce);
  };
});

/** Connection of the place announced last: the page on screen and its links belong to it. */
let connection: string | null = null;
let onConnection: (connection: string | null) => void = () => {};

/** Called once, before the first render. The listener is called before components when the connection changes. */
export function followAddress(listener: (connection: string | null) => void): string | null {
  onConnection = listener;
  connection = here().connection;
  return connection;
}

function announce(): void {
  const next = here().connection;
  if (next !== connection) {
    connection = next;
    onConnection(next);
  }
  changes.emit();
}

/** Returns a key for a name that is unique only within the present connection. */
export function inConnection(name: string): string {
  return connection === null ? name : `${connection}\n${name}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone % typed by hand stays as it is.
    return segment;
  }
}

/** @internal */
export function readPlace(fragment: string): Place {
  const [address = '', query = ''] = fragment.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const segments = address.split('/').filter(Boolean).map(decoded);
  const [, id = HOME_CONNECTION] = segments;
  const path = segments[0] === ON ? segments.slice(2) : segments;
  return {
    connection: segments[0] === ON && id !== HOME_CONNECTION ? id : null,
    path,
    query: new URLSearchParams(query),
  };
}

/** Returns the link to a place, by default in the present connection. Queries of null or undefined are left out. */
export function hrefTo(path: readonly string[], query: QueryChange = {}, on = connection): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(key, String(value));
  }
  const text = search.toString();
  const whole = on === null || on === HOME_CONNECTION ? path : [ON, on, ...path];
  return `#/${whole.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Returns the state of each new entry of the browser's history. */
let historyState: () => unknown = () => null;

export function setHistoryState(state: () => unknown): void {
  historyState = state;
}

export const onPlaceChange: (listener: () => void) => () => void = changes.subscribe;

export function goTo(href: string, { replace = false } = {}): void {
  if (href === location.hash) return;
  if (replace) history.replaceState(historyState(), '', href);
  else history.pushState(historyState(), '', href);
  announce();
}

/** Returns the present place; components use `usePlace`. */
export function here(): Place {
  return readPlace(location.hash);
}

export function usePlace(): Place {
  const fragment = useSyncExternalStore(changes.subscribe, () => location.hash);
  return useMemo(() => readPlace(fragment), [fragment]);
}

/** Changes some query parameters and keeps the others, by default replacing the history entry. */
export function changeQuery(change: QueryChange, { replace = true } = {}): void {
  const { path, query } = here();
  goTo(hrefTo(path, { ...Object.fromEntries(query), ...change }), { replace });
}

export const toOverview = (): string => hrefTo(['overview']);

/** Returns the link to the first page of a connection; null: home. */
export function toConnection(id: string | null): string {
  return hrefTo(['overview'], {}, id);
}

/**
 * Returns the link to the connections page; `add`: with the form of a new connection; with an id: with a dialog about
 * that connection.
 */
export function toConnections(
  dialog?: 'add' | { edit: string } | { remove: string } | { save: string },
): string {
  if (dialog === undefined) return hrefTo(['connections']);
  if (dialog === 'add') return hrefTo(['connections', 'add']);
  if ('save' in dialog) return hrefTo(['connections', 'save', dialog.save]);
  return 'edit' in dialog
    ? hrefTo(['connections', 'edit', dialog.edit])
    : hrefTo(['connections', 'remove', dialog.remove]);
}

export type ActivityTab = 'feed' | 'expired' | 'passes';

/** Returns the link to Activity: of one collection with `{ collection }`, of one index with `index` too. */
export function toActivity(tab: ActivityTab = 'feed', query: QueryChange = {}): string {
  return hrefTo(tab === 'feed' ? ['activity'] : ['activity', tab], query);
}

export type CollectionTab = 'timeline' | 'documents' | 'ttl-indexes' | 'activity';

/**
 * Returns the link to a collection's page; the query of `documents` is its filter: `{ state: 'soon', dueFrom, dueTo,
 * index }`.
 */
export function toCollection(name: string, tab: CollectionTab = 'timeline', query: QueryChange = {}): string {
  return hrefTo(['collections', name, tab], query);
}

/**
 * Returns the link to the form of a new index, filled with `prefilled`: `{ field, unit, expireAfter }`, the last in
 * seconds.
 */
export function toCreateIndex(name: string, prefilled: QueryChange = {}): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'new'], prefilled);
}

export function toEditIndex(name: string, index: string): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'edit', index]);
}

/** Returns the link to an index; `revert`: with the dialog to revert a change, or the `last` one. */
export function toIndex(name: string, index: string, query: QueryChange = {}): string {
  return hrefTo(['collections', name, 'ttl-indexes', 'index', index], query);
}

/** Returns the link to the charts and findings of the whole store or of one collection. */
export function toHealth(query: { collection?: string; span?: string } = {}): string {
  return hrefTo(['health'], query);
}

export const SETTINGS_SECTIONS = [
  'reading',
  'removal',
  'holds',
  'keeping',
  'policy',
  'access',
  'backup',
  'alerts',
  'appearance',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export function toSettings(section?: SettingsSection): string {
  return hrefTo(section === undefined ? ['settings'] : ['settings', section]);
}
