import { type DocumentState, documentState, sortKey } from '../../../../shared/contract/documents.ts';

/** What the Documents screen shows, as its address says it: back, forward and reload keep the place. */
export interface DocumentsQuery {
  sort: '_id' | 'deadline' | 'updatedAt';
  order: 'asc' | 'desc';
  filter: string;
  /** A CEL condition over `doc` and `updatedAt`. */
  cel: string;
  state: DocumentState | null;
  /** Deadlines in [dueFrom, dueTo), epoch ms: a bar of the timeline. */
  dueFrom: number | null;
  dueTo: number | null;
  /** Documents of one index, or with `reason` those it never expires. */
  index: string | null;
  reason: string | null;
  /** Also those past their deadline and not yet removed, which ordinary reads hide [V1]. */
  includeExpired: boolean;
}

export const EVERYTHING: DocumentsQuery = {
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

/** Reads the query part of an address. What it does not understand is as if it were not there. */
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

/** What is paused is overdue too, and is listed with it: an address from before it was. */
function asChip(state: DocumentState): DocumentState {
  return state === 'paused' ? 'overdue' : state;
}

/** The query part of the address, without `?`; what is as usual is left out. */
export function formatDocumentsQuery(query: DocumentsQuery): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const usual = Object.entries(EVERYTHING).find(([key]) => key === name)?.[1];
    if (value !== null && value !== usual) search.set(name, String(value));
  }
  return search.toString();
}

/** Fields for `documents.list`: only what narrows. Overdue is all that is past its deadline at `now`, paused or not. */
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

export function isNarrowed(query: DocumentsQuery): boolean {
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
