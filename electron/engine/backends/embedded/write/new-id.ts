import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;
const IDS_AT_ONCE = 256;

/** Random bytes for many ids: a system call costs as much for a few bytes as for some thousand. */
const pool = new Uint8Array(ID_BYTES * IDS_AT_ONCE);
let used = pool.length;
let lastMs = -1;
let sequence = 0;

/** Returns a new `_id`: a UUIDv7 of `now` (epoch ms) [C1]. Ids of the same millisecond are ascending. */
export function newId(now: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  if (now === lastMs) {
    sequence += 1;
    return uuidv7({ msecs: now, seq: sequence, random });
  }
  lastMs = now;
  sequence = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
  return uuidv7({ msecs: now, seq: sequence, random });
}
