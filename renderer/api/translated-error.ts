import { t } from '@lingui/core/macro';
import { type ErrorCode, isErrorCode } from '../../shared/model/errors.ts';
import { formatBytes } from '../i18n/format.ts';
import { language } from '../i18n/i18n.ts';
import { formatNameProblem } from '../i18n/name-problem.ts';

type Data = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';

/** `/data/orders.sandglass` → `orders.sandglass`. */
const fileNameOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;

/**
 * Sentences by error code. Null if the data belong to another sentence of this code. Codes whose cause is stated only
 * in the engine's message have no entry.
 */
const SENTENCES: Partial<Record<ErrorCode, (data: Data) => string | null>> = {
  INVALID_NAME({ name }) {
    const problem = isText(name) ? formatNameProblem(name) : null;
    return problem === null ? null : t`This name cannot be used: ${problem}`;
  },
  PERMISSION_DENIED({ needed, has, user }) {
    return isText(needed) && isText(has) && isText(user)
      ? t`This needs the permission ${needed}; ${user} has ${has}.`
      : null;
  },
  COLLECTION_NOT_FOUND({ collection, id }) {
    if (isText(collection)) return t`There is no collection named ${collection}.`;
    return isText(id)
      ? t`There is no dropped collection ${id} to restore: its retention has ended, or it was restored or purged.`
      : null;
  },
  DOCUMENT_NOT_FOUND({ collection, _id: id }) {
    return isText(collection) && isText(id) ? t`${collection} has no document with _id ${id}.` : null;
  },
  TTL_INDEX_NOT_FOUND({ collection, index }) {
    return isText(collection) && isText(index) ? t`${collection} has no TTL index named ${index}.` : null;
  },
  JOB_NOT_FOUND({ job }) {
    return isText(job) ? t`There is no job ${job}; only the last ones that ended are kept.` : null;
  },
  EXPIRED_NOT_FOUND: () =>
    t`No copy is kept: it was restored or purged, its retention has ended, or it was evicted for its size.`,
  TOKEN_NOT_FOUND({ name }) {
    return isText(name) ? t`There is no token named ${name}.` : null;
  },
  CHANGE_NOT_FOUND({ collection, index }) {
    return isText(collection) && isText(index)
      ? t`${collection} has no such change of a TTL index named ${index}; see its history.`
      : null;
  },
  CONNECTION_NOT_FOUND({ id }) {
    return isText(id) ? t`There is no connection “${id}”.` : null;
  },
  COLLECTION_EXISTS({ collection }) {
    return isText(collection)
      ? t`There is a collection named ${collection} already. Choose another name.`
      : null;
  },
  DOCUMENT_EXISTS({ collection, _id: id }) {
    return isText(collection) && isText(id) ? t`${collection} has a document with _id ${id} already.` : null;
  },
  TTL_INDEX_EXISTS({ collection, index }) {
    return isText(collection) && isText(index)
      ? t`${collection} has a TTL index named ${index} already.`
      : null;
  },
  TOKEN_EXISTS({ name }) {
    return isText(name) ? t`There is a token named ${name}. Revoke it first, or choose another name.` : null;
  },
  CONNECTION_EXISTS({ file }) {
    return isText(file) ? t`${file} is connected already.` : null;
  },
  NO_EXPIRATION({ _id: id }) {
    return isText(id) ? t`${id} has no explicit duration to restart. Set one first.` : null;
  },
  READ_ONLY({ leader, needed, file }) {
    if (isText(file)) return null;
    if (isText(leader))
      return t`This store mirrors the one at ${leader} and accepts no changes. Change the leader; the mirror follows.`;
    return isText(needed)
      ? t`This connection is read-only. A caller who may change connections can end read-only mode.`
      : null;
  },
  REVISION_COMPACTED({ from, oldest }) {
    return typeof from === 'number' && typeof oldest === 'number'
      ? t`The log begins at revision ${oldest}; revision ${from} is no longer kept.`
      : null;
  },
  STORE_BUSY: () => t`The store’s file is being compacted. Writes are accepted again when that is done.`,
  STORE_TOO_NEW({ file }) {
    return isText(file)
      ? t`${file} was written by a later version of Sandglass. It was left untouched: open it with that version.`
      : null;
  },
  DOCUMENT_TOO_LARGE({ bytes }) {
    return typeof bytes === 'number'
      ? t`The document is ${formatBytes(bytes)} of JSON; the most is 16 MiB.`
      : null;
  },
  DISK_FULL({ file, freeBytes, missingBytes }) {
    if (!isText(file) || typeof freeBytes !== 'number' || typeof missingBytes !== 'number') return null;
    const name = fileNameOf(file);
    const [free, missing] = [formatBytes(freeBytes), formatBytes(missingBytes)];
    return missingBytes === 0
      ? t`The disk of ${name} is full, or this user’s quota on it is used up. Acknowledged writes are not lost. Free some space and try again.`
      : t`The disk of ${name} is full: ${free} are free and ${missing} more are needed. Acknowledged writes are not lost. Free some space and try again.`;
  },
  INTERNAL_SERVER_ERROR({ errorId }) {
    return isText(errorId)
      ? t`This failed because of a defect in Sandglass. The details are in its log, under ${errorId}.`
      : null;
  },
};

/**
 * Returns the sentence of an error in the language of the window; null in English, and if the engine's own message is
 * used.
 */
export function translatedError(code: string, data: Data): string | null {
  if (language === 'en' || !isErrorCode(code)) return null;
  return SENTENCES[code]?.(data) ?? null;
}
