import type { ExpireAction } from '../../../../../../shared/model/ttl-index.ts';

/** Stored by position in this list: only append. */
export const ACTIONS = ['delete', 'patch', 'replace', 'move'] as const satisfies readonly ExpireAction[];

/** Position of the action *delete*. */
export const DELETE_ACTION = ACTIONS.indexOf('delete');

/** Value of `source` for documents that were deleted by hand; no rule has this number. */
export const DELETED_SOURCE = -1;

/** Value of `keep_until_at` of a removal whose document was restored; 0: it is not restorable for another reason. */
export const RESTORED = -1;

/** One document that left, or was changed by an action. */
export interface Removal {
  readonly seq: number;
  readonly revision: number;
  readonly position: number;
  /** `collections.id`. */
  readonly collection: number;
  /** `ttl_indexes.id`, EXPLICIT_SOURCE or DELETED_SOURCE. */
  readonly source: number;
  readonly row: number;
  readonly id: string;
  /** Epoch ms. */
  readonly deadlineAt: number;
  readonly removedAt: number;
  readonly pass: number;
  /** Position in ACTIONS. */
  readonly action: number;
  /** 1: it left a dead row, which the sweep frees; 0: the document stayed, changed, or was deleted by hand with its row. */
  readonly gone: 0 | 1;
  /** Epoch ms; 0: not restorable; RESTORED. */
  readonly keepUntilAt: number;
  /** `collections.id` of the target of a move. */
  readonly movedTo: number | null;
}

/** Returns why a document left, by the source of its removal. */
export function causeOf(source: number): 'expired' | 'deleted' {
  return source === DELETED_SOURCE ? 'deleted' : 'expired';
}
