import { useCallback, useMemo } from 'react';
import { changeQuery, usePlace } from '../../../components/navigation/location.ts';
import { DEFAULT_QUERY, type DocumentsQuery, parseDocumentsQuery } from './documents-query.ts';

/** Query of the page, kept in the URL. Filter changes replace the history entry. */
export function useDocumentsQuery(): [DocumentsQuery, (change: Partial<DocumentsQuery>) => void] {
  const search = usePlace().query.toString();
  const query = useMemo(() => parseDocumentsQuery(search), [search]);
  const change = useCallback((part: Partial<DocumentsQuery>) => {
    const usual = new Map<string, unknown>(Object.entries(DEFAULT_QUERY));
    const fields = Object.entries(part).map(([name, value]) => {
      return [
        name,
        value === usual.get(name) ? null : typeof value === 'boolean' ? String(value) : value,
      ] as const;
    });
    changeQuery(Object.fromEntries(fields));
  }, []);
  return [query, change];
}
