import { useMemo, useSyncExternalStore } from 'react';
import { HOME_CONNECTION } from '../../../shared/model/connection-id.ts';
import { createEmitter } from '../../state/emitter.ts';

/**
 * The address of what is on screen, in the fragment: `#/collections/sessions/documents?state=soon`. Nothing of it
 * reaches a server, it works from a file as well, and back, forward and reload keep the place. Places of a further
 * connection stand behind its id, `#/on/c2/collections/…`; those of home behind nothing.
 */
export interface Place {
  /** The id of the connection it is of; null: home. */
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

/** Of the last place that was announced: what is on screen is of it, and the links on it lead there. */
let connection: string | null = null;
let onConnection: (connection: string | null) => void = () => {};

/** Called once, before the first render. The listener hears of another connection before anything on screen does. */
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

/** A name that means another thing in each connection, as a key for all of them. */
export function inConnection(name: string): string {
  return connection === null ? name : `${connection}\n${name}`;
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

/** The link to a place, in the connection on screen unless another is said. Queries of null or undefined are left out. */
export function hrefTo(path: readonly string[], query: QueryChange = {}, on = connection): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(key, String(value));
  }
  const text = search.toString();
  const whole = on === null || on === HOME_CONNECTION ? path : [ON, on, ...path];
  return `#/${whole.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
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
  const fragment = useSyncExternalStore(changes.subscribe, () => location.hash);
  return useMemo(() => readPlace(fragment), [fragment]);
}

/** Changes some of the query and keeps the rest, in place unless it should be a step back can undo. */
export function changeQuery(change: QueryChange, { replace = true } = {}): void {
  const { path, query } = here();
  goTo(hrefTo(path, { ...Object.fromEntries(query), ...change }), { replace });
}

export const toOverview = (): string => hrefTo(['overview']);

/** The first page of a connection; null: home. */
export function toConnection(id: string | null): string {
  return hrefTo(['overview'], {}, id);
}

/** All connections; with `add` the form of a new one, with an id what is asked about that one. */
export function toConnections(asked?: 'add' | { edit: string } | { remove: string }): string {
  if (asked === undefined) return hrefTo(['connections']);
  if (asked === 'add') return hrefTo(['connections', 'add']);
  return 'edit' in asked
    ? hrefTo(['connections', 'edit', asked.edit])
    : hrefTo(['connections', 'remove', asked.remove]);
}

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

export const SETTINGS_SECTIONS = [
  'removal',
  'holds',
  'keeping',
  'access',
  'backup',
  'alerts',
  'appearance',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export function toSettings(section?: SettingsSection): string {
  return hrefTo(section === undefined ? ['settings'] : ['settings', section]);
}
