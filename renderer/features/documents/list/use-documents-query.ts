import { useCallback, useMemo } from 'react';
import { changeQuery, usePlace } from '../../../components/navigation/location.ts';
import { type DocumentsQuery, EVERYTHING, parseDocumentsQuery } from './documents-query.ts';

/** What is shown is what the address says; a change goes there, in place while it is only being narrowed. */
export function useDocumentsQuery(): [DocumentsQuery, (change: Partial<DocumentsQuery>) => void] {
  const search = usePlace().query.toString();
  const query = useMemo(() => parseDocumentsQuery(search), [search]);
  const change = useCallback((part: Partial<DocumentsQuery>) => {
    const usual = new Map<string, unknown>(Object.entries(EVERYTHING));
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
