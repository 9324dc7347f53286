import { onExpire } from '../../../../../../shared/contract/ttl-indexes.ts';
import { parseJson, stringifyJson } from '../../../../../../shared/model/json/json.ts';
import type { OnExpire } from '../../../../../../shared/model/ttl-index.ts';

declare const KIND: unique symbol;

/**
 * JSON text of a column: a string at run time but not for TypeScript, so that only the functions of this file can read
 * it. JSON.parse rounds integers beyond 2^53, and an entry computed from a rounded integer is not found again [C1].
 */
interface StoredJson<Kind extends string> {
  readonly [KIND]: Kind;
}
/** A document, its `_id` included. */
export type StoredBody = StoredJson<'document'>;
/** Action of an explicit expiration that does not delete. */
export type StoredAction = StoredJson<'action'>;

/** Returns the document for evaluating rules; no integer is rounded. */
export function readBody(body: StoredBody): unknown {
  return parseJson(bodyText(body));
}

/** Returns the document's JSON text, with the digits that were written. */
export function bodyText(body: StoredBody): string {
  return String(body);
}

/** Size in UTF-8. */
export function bodyBytes(body: StoredBody): number {
  return Buffer.byteLength(bodyText(body));
}

/** `text` must have been checked as a document, here or by the leader [V5]. */
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

/** Returns the JSON text that is sent to followers. */
export function actionText(action: StoredAction): string {
  return String(action);
}

/** `text` must have been written by `storedAction`, here or by the leader [V5]. */
export function storedActionText(text: string): StoredAction {
  return text as unknown as StoredAction;
}
