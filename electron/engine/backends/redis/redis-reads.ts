import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Reads } from '../backend.ts';
import { mirroredReads } from '../mirrored/mirrored-reads.ts';
import type { CommandConnection } from './connection/command-connection.ts';
import type { OpenedKeys } from './follow/opened-keys.ts';
import { readValue } from './values/redis-value.ts';

/**
 * Returns the reads of a Redis database. A key past its mirrored deadline is not read: reading it makes the server
 * delete it, and the measured lag would depend on the read.
 */
export function redisReads(
  mirror: DeadlineMirror,
  commands: CommandConnection,
  { serverNow, opened }: { serverNow: () => number; opened: OpenedKeys },
): Reads {
  return mirroredReads({
    mirror,
    serverNow,
    async readValue({ collection, id }, mirrored, now) {
      if (mirrored.deadlineAt !== null && mirrored.deadlineAt <= now) return null;
      opened.add(id);
      const value = await readValue(commands, keyOfId(id));
      if (value === null) {
        throw new SandglassError('DOCUMENT_NOT_FOUND', `There is no key ${id}: it expired or was deleted.`, {
          collection,
          _id: id,
        });
      }
      const { type, length, isPartial } = value;
      return {
        document: { _id: id, type, value: value.value, ...(isPartial ? { partOf: length } : {}) },
        bytes: value.bytes ?? mirrored.bytes,
        ...(isPartial ? { clipped: true } : {}),
      };
    },
  });
}
