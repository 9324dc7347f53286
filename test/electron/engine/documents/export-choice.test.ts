import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import { refusal, write } from '../../../support/documents.ts';
import { openTestEngine } from '../../../support/engine.ts';

type Asked = Omit<Parameters<Client['exports']['read']>[0], 'collection' | 'after'>;

async function exported(client: Client, asked: Asked): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Client['exports']['read']>> = await client.exports.read({
      collection: 'people',
      ...asked,
      ...(after !== null && { after }),
    });
    const lines = page.text.split('\n').filter(line => line !== '');
    expect(lines).toHaveLength(page.documents);
    ids.push(...lines.map(line => String(Reflect.get(JSON.parse(line), '_id'))));
    after = page.next;
  } while (after !== null);
  return ids;
}

async function people() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'people' });
  const documents = Array.from({ length: 9 }, (_, i) => ({ _id: `p${8 - i}`, seats: i }));
  await write(test.client, 'people', documents);
  return test.client;
}

describe('an export of some documents', () => {
  it('contains those that match a filter, by _id, with any page size', async () => {
    const client = await people();
    const chosen = ['p0', 'p1', 'p2', 'p3'];
    expect(await exported(client, { filter: { cel: 'doc.seats > 4' } })).toEqual(chosen);
    expect(await exported(client, { filter: { cel: 'doc.seats > 4' }, limit: 1 })).toEqual(chosen);
    expect(await exported(client, { filter: { filter: 'p7' } })).toEqual(['p7']);
  });

  it('contains the given ids, in their order, without missing ones', async () => {
    const client = await people();
    await client.documents.delete({ collection: 'people', id: 'p3' });
    const ids = ['p5', 'p3', 'p1', 'nobody', 'p8'];
    expect(await exported(client, { ids })).toEqual(['p5', 'p1', 'p8']);
    expect(await exported(client, { ids, limit: 1 })).toEqual(['p5', 'p1', 'p8']);
  });

  it('refuses ids together with a filter, and an invalid filter', async () => {
    const client = await people();
    const both = client.exports.read({ collection: 'people', ids: ['p1'], filter: {} });
    expect(await refusal(both)).toMatchObject({ code: 'BAD_REQUEST' });
    const wrong = client.exports.read({ collection: 'people', filter: { cel: 'doc.' } });
    expect(await refusal(wrong)).toMatchObject({ code: 'INVALID_FILTER' });
  });
});
