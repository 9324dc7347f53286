import { join } from 'node:path';
import KeyvSqlite from '@keyv/sqlite';
import Keyv from 'keyv';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';

/** Keyv on SQLite, a thousand documents per bulk call. */
export const keyvIngest: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  const store = new Keyv({ store: new KeyvSqlite(`sqlite://${join(folder, 'keyv.sqlite')}`) });
  const from = Date.now();
  let ingestMs = 0;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH)) {
    const entries = batch.map(document => ({
      key: document._id ?? uuidV7(),
      value: document,
      ttl: document.e - from + HOUR_MS,
    }));
    ingestMs += await timed(() => store.setMany(entries));
  }
  await store.disconnect();
  return { ingestPerSecond: perSecond(documents, ingestMs) };
};
