import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

const documents = '/api/collections/c/documents';
/** Values as an export writes them, and as a user may write them. */
const FIELDS = [{ deadlineAt: null, deadlineFrom: null, exportedAt: 1, explicit: { never: true } }, 'mine'];

describe('a field called $expiration', () => {
  let host: ServedHost;
  beforeAll(async () => {
    host = await startServedHost();
    await fetchFrom(host, 'POST', '/api/collections', '{"name": "c"}');
  });
  afterAll(() => host.stop());

  const WAYS: Record<string, (document: { _id: string }) => Promise<unknown>> = {
    'a PUT': document => fetchFrom(host, 'PUT', `${documents}/${document._id}`, JSON.stringify(document)),
    'a JSON array': document => fetchFrom(host, 'POST', documents, JSON.stringify([document])),
    'lines of NDJSON': document =>
      fetchFrom(host, 'POST', documents, `${JSON.stringify(document)}\n`, {
        'content-type': 'application/x-ndjson',
      }),
  };
  it.each(Object.keys(WAYS))(
    '[C1, E1] is stored like any other field by %s, and sets no expiration',
    async way => {
      for (const [i, field] of FIELDS.entries()) {
        const document = { _id: `${way.replaceAll(' ', '-')}-${i}`, $expiration: field, n: 1 };
        await WAYS[way]?.(document);
        const { text } = await fetchFrom(host, 'GET', `${documents}/${document._id}`);
        expect(JSON.parse(text)).toMatchObject({ document, state: 'never' });
      }
    },
  );

  it('[E1] is removed and applied by an import', async () => {
    const line = JSON.stringify({ _id: 'imported', $expiration: FIELDS[0], n: 1 });
    await fetchFrom(host, 'POST', '/api/collections/c/imports', `${line}\n`, {
      'content-type': 'application/x-ndjson',
    });
    await expect
      .poll(async () => (await fetchFrom(host, 'GET', `${documents}/imported`)).text, { timeout: 5_000 })
      .toContain('"state":"pinned"');
    expect((await fetchFrom(host, 'GET', `${documents}/imported`)).text).not.toContain('$expiration');
  });
});
