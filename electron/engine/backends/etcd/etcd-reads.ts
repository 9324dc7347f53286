import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Reads } from '../backend.ts';
import { mirroredReads } from '../mirrored/mirrored-reads.ts';
import { gone } from './changes/key-changes.ts';
import type { EtcdClient } from './connection/etcd-client.ts';
import { NO_LEASE } from './connection/replies.ts';
import { leaseText } from './etcd-leases.ts';
import { readKey } from './keys/key-range.ts';
import { shownValue } from './values/etcd-value.ts';

/** Returns the reads of a cluster. A document contains the value, and its revision, with which an edit is compared. */
export function etcdReads(mirror: DeadlineMirror, client: EtcdClient, now: () => number): Reads {
  return mirroredReads({
    mirror,
    serverNow: now,
    async readValue({ id }) {
      const found = await readKey(client, keyOfId(id), { withValue: true });
      if (found === null) throw gone(id);
      const { key, value, mod_revision, version, lease } = found;
      return {
        document: {
          _id: id,
          type: 'key',
          value: shownValue(value),
          modRevision: mod_revision,
          version,
          lease: lease === NO_LEASE ? null : leaseText(lease),
        },
        bytes: key.length + value.length,
      };
    },
  });
}
