import { join } from 'node:path';
import Nedb from '@seald-io/nedb';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';

/** NeDB with a file and an expiring index, which needs a `Date`. */
export const nedbIngest: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  const store = new Nedb({ filename: join(folder, 'nedb.db') });
  await store.loadDatabaseAsync();
  await store.ensureIndexAsync({ fieldName: 'e', expireAfterSeconds: 86_400 });
  const from = Date.now();
  let ingestMs = 0;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH)) {
    const dated = batch.map(document => ({ _id: uuidV7(), ...document, e: new Date(document.e) }));
    ingestMs += await timed(() => store.insertAsync(dated));
  }
  return { ingestPerSecond: perSecond(documents, ingestMs) };
};
