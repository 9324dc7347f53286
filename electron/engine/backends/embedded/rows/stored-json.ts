import { onExpire } from '../../../../../shared/contract/ttl-indexes.ts';
import { parseJson, stringifyJson } from '../../../../../shared/model/json/json.ts';
import type { OnExpire } from '../../../../../shared/model/ttl-index.ts';

declare const KIND: unique symbol;

/**
 * JSON text of a column. It is a string in memory and none to TypeScript, so that it is read by the functions of this file
 * alone: JSON.parse rounds integers beyond 2^53, and an entry computed from a rounded one is not found again [C1].
 */
interface StoredJson<Kind extends string> {
  readonly [KIND]: Kind;
}
/** A document, its `_id` included. */
export type StoredBody = StoredJson<'document'>;
/** Action of an explicit expiration that does not delete. */
export type StoredAction = StoredJson<'action'>;

/** The document, as it is for every rule that looks at it: no integer of it is rounded. */
export function readBody(body: StoredBody): unknown {
  return parseJson(bodyText(body));
}

/** Its JSON text, digits as they were given. */
export function bodyText(body: StoredBody): string {
  return String(body);
}

/** In UTF-8, as it counts everywhere. */
export function bodyBytes(body: StoredBody): number {
  return Buffer.byteLength(bodyText(body));
}

/** `text` was checked as a document, here or by the leader it comes from [V5]. */
export function storedBody(text: string): StoredBody {
  return text as unknown as StoredBody;
}

/** Null: it is deleted. */
export function readAction(action: StoredAction | null): OnExpire {
  return action === null ? { action: 'delete' } : onExpire.parse(parseJson(String(action)));
}

/** Null: it is deleted. */
export function storedAction(action: OnExpire): StoredAction | null {
  return action.action === 'delete' ? null : storedActionText(stringifyJson(action));
}

/** Its JSON text, as it is sent to followers. */
export function actionText(action: StoredAction): string {
  return String(action);
}

/** `text` was written by `storedAction`, here or by the leader it comes from [V5]. */
export function storedActionText(text: string): StoredAction {
  return text as unknown as StoredAction;
}
