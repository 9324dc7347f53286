import { z } from 'zod';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';
import { DEFAULT_QUERY, type DocumentsQuery } from '../list/documents-query.ts';

/** Filters of a collection, as URL queries without the sort order. */
export interface Filters {
  saved: readonly { name: string; query: string }[];
  /** Recent filters, newest first. */
  recent: readonly string[];
}

const MOST_RECENT = 10;
const NONE: Filters = { saved: [], recent: [] };
const stored = z.object({
  saved: z.array(z.object({ name: z.string(), query: z.string() })),
  recent: z.array(z.string()),
});

const keyOf = (collection: string) => `sandglass.filters.${inConnection(collection)}`;

const filters = createKeyedStore(read);

function read(key: string): Filters {
  const text = localStorage.getItem(key);
  if (text === null) return NONE;
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // The text has another format.
    return NONE;
  }
}

/** Returns the filter part of a URL query, without the sort order; empty: no filter. */
export function filterOf(query: DocumentsQuery): string {
  const usual = new Map<string, unknown>(Object.entries(DEFAULT_QUERY));
  const asked = Object.entries(query).filter(
    ([name, value]) => name !== 'sort' && name !== 'order' && value !== null && value !== usual.get(name),
  );
  return new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
}

export function withSaved({ saved, recent }: Filters, name: string, query: string): Filters {
  const others = saved.filter(one => one.name !== name);
  return { saved: [...others, { name, query }].sort((a, b) => a.name.localeCompare(b.name)), recent };
}

export function withoutSaved({ saved, recent }: Filters, name: string): Filters {
  return { saved: saved.filter(one => one.name !== name), recent };
}

export function withRecent({ saved, recent }: Filters, query: string): Filters {
  return { saved, recent: [query, ...recent.filter(other => other !== query)].slice(0, MOST_RECENT) };
}

/** Saved and recent filters of a collection, in this browser or on this machine. */
export function useFilters(collection: string): [Filters, (change: (filters: Filters) => Filters) => void] {
  const key = keyOf(collection);
  const [current, set] = useKeyed(filters, key);
  return [
    current,
    change => {
      // Another window may have saved a filter meanwhile.
      const next = change(read(key));
      localStorage.setItem(key, JSON.stringify(next));
      set(next);
    },
  ];
}
