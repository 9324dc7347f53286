import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExposition } from '../../support/exposition.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "it\\"s"}');
});
afterAll(() => host.stop());

describe('GET /metrics', () => {
  it('[M2, P1] answers Prometheus text to a token that may read, and refuses requests without one', async () => {
    const made = await fetchFrom(host, 'POST', '/api/tokens', '{"name": "prometheus", "permission": "read"}');
    const { token }: { token: string } = JSON.parse(made.text);
    const { status, text, headers } = await fetchFrom({ ...host, token }, 'GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = parseExposition(text);
    expect(families.get('sandglass_ttl_documents')?.samples).toEqual([
      { name: 'sandglass_ttl_documents', labels: { collection: 'it"s' }, value: 0 },
    ]);
    for (const wrong of ['', 'Bearer wrong']) {
      const refused = await fetchFrom(host, 'GET', '/metrics', undefined, { authorization: wrong });
      expect(refused.status).toBe(401);
    }
    expect((await fetchFrom(host, 'POST', '/metrics', '{}')).status).toBe(404);
  });
});
