import { type DocumentState, documentState, sortKey } from '../../../../shared/contract/documents.ts';

/** Query of the documents page, kept in the URL. */
export interface DocumentsQuery {
  sort: '_id' | 'deadline' | 'updatedAt';
  order: 'asc' | 'desc';
  filter: string;
  /** A CEL condition over `doc` and `updatedAt`. */
  cel: string;
  state: DocumentState | null;
  /** Deadlines in [dueFrom, dueTo), epoch ms. */
  dueFrom: number | null;
  dueTo: number | null;
  /** Documents of one index; with `reason` those that never expire by it. */
  index: string | null;
  reason: string | null;
  /** Includes due documents that were not removed yet [V1]. */
  includeExpired: boolean;
}

export const DEFAULT_QUERY: DocumentsQuery = {
  sort: 'deadline',
  order: 'asc',
  filter: '',
  cel: '',
  state: null,
  dueFrom: null,
  dueTo: null,
  index: null,
  reason: null,
  includeExpired: false,
};

/** Parses the query of a URL. Ignores invalid parameters. */
export function parseDocumentsQuery(search: string): DocumentsQuery {
  const given = new URLSearchParams(search);
  const instant = (name: string): number | null => {
    const text = given.get(name);
    const value = Number(text);
    return text === null || text === '' || !Number.isFinite(value) ? null : value;
  };
  const sort = sortKey.safeParse(given.get('sort'));
  const state = documentState.safeParse(given.get('state'));
  const expired = given.get('includeExpired');
  return {
    sort: sort.success ? sort.data : 'deadline',
    order: given.get('order') === 'desc' ? 'desc' : 'asc',
    filter: given.get('filter') ?? '',
    cel: given.get('cel') ?? '',
    state: state.success ? asChip(state.data) : null,
    dueFrom: instant('dueFrom'),
    dueTo: instant('dueTo'),
    index: given.get('index'),
    reason: given.get('reason'),
    includeExpired: expired !== null && expired !== 'false' && expired !== '0',
  };
}

/** `state=paused` of older URLs: paused documents past their deadline are overdue. */
function asChip(state: DocumentState): DocumentState {
  return state === 'paused' ? 'overdue' : state;
}

/** Input of `documents.list`, without defaults. `overdue` is every deadline before `now`. */
export function listInput(query: DocumentsQuery, now: number) {
  const filter = query.filter.trim();
  const isOverdue = query.state === 'overdue';
  const dueTo = isOverdue ? Math.min(query.dueTo ?? now + 1, now + 1) : query.dueTo;
  return {
    sort: query.sort,
    order: query.order,
    ...(filter !== '' && { filter }),
    ...(query.cel.trim() !== '' && { cel: query.cel }),
    ...(query.state !== null && !isOverdue && { state: query.state }),
    ...(query.dueFrom !== null && { dueFrom: query.dueFrom }),
    ...(dueTo !== null && { dueTo }),
    ...(query.index !== null && { index: query.index }),
    ...(query.reason !== null && { reason: query.reason }),
    ...((query.includeExpired || isOverdue) && { includeExpired: true }),
  };
}

export function isFiltered(query: DocumentsQuery): boolean {
  return (
    query.filter.trim() !== '' ||
    query.cel.trim() !== '' ||
    query.state !== null ||
    query.dueFrom !== null ||
    query.dueTo !== null ||
    query.index !== null ||
    query.reason !== null
  );
}
