import type { LeaseRecord } from '../../../shared/contract/leases.ts';
import { client, orpc, queryClient } from '../../api.ts';

/** A change of a lease that a person confirms. `key`: the key in whose panel it was chosen. */
export type LeaseChange =
  | { readonly kind: 'keep alive' | 'revoke'; readonly lease: LeaseRecord }
  | {
      readonly kind: 'detach';
      readonly lease: LeaseRecord;
      readonly collection: string;
      readonly key: string;
    };

export async function applyLeaseChange(change: LeaseChange): Promise<void> {
  const { id, keyCount } = change.lease;
  switch (change.kind) {
    case 'keep alive':
      await client.leases.keepAlive({ id, keyCount });
      break;
    case 'revoke':
      await client.leases.revoke({ id, keyCount });
      break;
    case 'detach':
      await client.leases.detach({ id, collection: change.collection, key: change.key });
      break;
  }
  await refreshLeases();
}

/** Reads every shown lease again. */
export async function refreshLeases(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.leases.key() });
}
