import type { Client } from '../../../../shared/contract/index.ts';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on } from '../../../support/documents.ts';
import { openTestEngine } from '../../../support/engine.ts';

/** Creates collections `c` and `archive`, and the index `ttl` in `c`. */
export async function withAction(onExpire: OnExpire, source: TtlSource = on('exp')) {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'archive' });
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'ttl', source, onExpire });
  await test.settle();
  return {
    ...test,
    document: async (id: string, collection = 'c') =>
      (await client.documents.get({ collection, id, includeExpired: true })).document,
    record: (id: string, collection = 'c') => client.documents.get({ collection, id, includeExpired: true }),
  };
}

/** Returns the expired documents, latest first. */
export async function expired(client: Client) {
  const { expired: found } = await client.metrics.expired({});
  return found.map(({ _id, collection, index, action, deadlineAt }) => ({
    _id,
    collection,
    index,
    action,
    deadlineAt,
  }));
}

/** An action after which an index on `exp` gives no deadline. */
export const WITHOUT_EXP: OnExpire = { action: 'patch', patch: { exp: null, freed: true } };
