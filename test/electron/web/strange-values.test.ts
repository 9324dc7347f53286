import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const DAY = 86_400_000;
/** Instant in the future for every clock. */
const YEAR = new Date().getUTCFullYear() + 2;

/** Time zones of the host: one behind UTC with daylight saving time, and one with an offset of half an hour. */
for (const zone of ['America/New_York', 'Asia/Kolkata']) {
  describe(`a host in ${zone}`, () => {
    let host: ServedHost;
    const before = process.env.TZ;
    beforeAll(async () => {
      process.env.TZ = zone;
      host = await startServedHost();
      await fetchFrom(host, 'POST', '/api/collections', '{"name": "c"}');
      await createIndex({ name: 'exp', source: { kind: 'field', field: 'exp', expireAfter: 3600 } });
      await built('exp');
    });
    afterAll(async () => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
      await host.stop();
    });

    async function json(method: string, path: string, body?: string, headers?: Record<string, string>) {
      const { status, text } = await fetchFrom(host, method, path, body, headers);
      const parsed: unknown = JSON.parse(text);
      return { status, body: parsed };
    }
    const createIndex = (index: object) =>
      json('POST', '/api/collections/c/ttl-indexes', JSON.stringify(index));
    async function built(index: string) {
      for (let i = 0; i < 200; i++) {
        const { body } = await json('GET', `/api/collections/c/ttl-indexes/${index}`);
        if (z.object({ state: z.string() }).parse(body).state === 'ready') return;
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      throw new Error(`${index} is not built`);
    }
    const record = z.object({ deadlineAt: z.number().nullable(), state: z.string() });
    async function put(id: string, body: string) {
      const answer = await json('PUT', `/api/collections/c/documents/${id}`, body);
      return record.parse(answer.body);
    }
    async function reasonOf(id: string) {
      const { body } = await json('GET', `/api/collections/c/documents/${id}/explanation`);
      const { candidates } = z
        .object({ candidates: z.array(z.object({ reason: z.string().nullable() })) })
        .parse(body);
      return candidates[0]?.reason;
    }

    it('[D3] reads dates without a zone as UTC, also on the nights of clock changes', async () => {
      for (const [text, utc] of [
        [`${YEAR}-03-08T02:30:00`, Date.UTC(YEAR, 2, 8, 2, 30)],
        [`${YEAR}-03-14T02:30:00`, Date.UTC(YEAR, 2, 14, 2, 30)],
        [`${YEAR}-11-01T01:30:00.5`, Date.UTC(YEAR, 10, 1, 1, 30, 0, 500)],
        [`${YEAR}-11-07`, Date.UTC(YEAR, 10, 7)],
        [`${YEAR}-06-15T12:00:00-04:00`, Date.UTC(YEAR, 5, 15, 16)],
        [`${YEAR}-06-15T12:00:00+05:30`, Date.UTC(YEAR, 5, 15, 6, 30)],
      ] as const) {
        expect(await put('date', JSON.stringify({ exp: text }))).toMatchObject({
          deadlineAt: utc + 3_600_000,
        });
      }
    });

    it('[D4, D5, D6] gives no deadline for invalid dates, and the reason for each', async () => {
      const seconds = Math.floor(Date.UTC(YEAR, 0, 1) / 1_000);
      for (const [name, json, reason] of [
        ['text', '"soon"', 'not a date'],
        ['sixty', '"60"', 'not a date'],
        ['boolean', 'true', 'wrong type'],
        ['object', '{"at": 1}', 'wrong type'],
        ['null', 'null', 'missing field'],
        ['ms', String(seconds * 1_000), 'wrong unit suspected'],
        ['before1970', '-60', 'out of range'],
        ['text1969', '"1969-12-31"', 'out of range'],
        ['nodates', '["soon", true]', 'not a date'],
      ] as const) {
        expect(await put(name, `{"exp": ${json}}`)).toMatchObject({ deadlineAt: null, state: 'never' });
        expect(await reasonOf(name), name).toBe(reason);
      }
      for (const [name, json, at] of [
        ['after2038', `"2050-01-01"`, Date.UTC(2050, 0, 1)],
        ['year9999', `"9999-12-31T00:00:00"`, Date.UTC(9999, 11, 31)],
        ['dates', `["soon", "${YEAR}-02-02", "${YEAR}-02-01", 1e30]`, Date.UTC(YEAR, 1, 1)],
        ['fraction', `${seconds}.25`, seconds * 1_000 + 250],
      ] as const) {
        expect(await put(name, `{"exp": ${json}}`)).toMatchObject({ deadlineAt: at + 3_600_000 });
      }
    });

    it('[D4] reports values that look like seconds where milliseconds are declared', async () => {
      await createIndex({
        name: 'ms',
        source: { kind: 'field', field: 'ms', unit: 'milliseconds', expireAfter: 0 },
      });
      await built('ms');
      const at = Date.UTC(YEAR, 0, 1);
      expect(await put('right', `{"ms": ${at}}`)).toMatchObject({ deadlineAt: at });
      expect(await put('wrong', `{"ms": ${at / 1_000}}`)).toMatchObject({ deadlineAt: null });
      const { body } = await json('GET', '/api/collections/c/ttl-indexes/ms');
      expect(body).toMatchObject({
        never: {
          reasons: expect.arrayContaining([
            { reason: 'wrong unit suspected', count: 1, examples: ['wrong'] },
          ]),
        },
      });
    });

    it('[D1, D5, E1] refuses infinite, negative and quoted numbers as a duration or an instant', async () => {
      for (const number of ['1e999', '-1e999', '-1', '"60"', 'NaN', 'null']) {
        const source = `{"kind": "field", "field": "x", "expireAfter": ${number}}`;
        for (const path of ['ttl-indexes', 'ttl-indexes/preview']) {
          const answer = await json('POST', `/api/collections/c/${path}`, `{"source": ${source}}`);
          expect(answer.status, `${path} ${number}`).toBe(400);
        }
        const change = await json(
          'PATCH',
          '/api/collections/c/ttl-indexes/exp',
          `{"expireAfter": ${number}}`,
        );
        expect(change.status, number).toBe(400);
        for (const key of ['at', 'after']) {
          const set = await json(
            'PUT',
            '/api/collections/c/documents/date/expiration',
            `{"${key}": ${number}}`,
          );
          expect(set.status, `${key} ${number}`).toBe(400);
        }
      }
    });

    it('[C1, D5] refuses a document with a number that cannot be stored, in every format', async () => {
      const one = await json('PUT', '/api/collections/c/documents/huge', '{"exp": 1e999}');
      expect(one.status).toBe(400);
      const lines = '{"_id": "huge", "exp": 1e999}\n{"_id": "large", "exp": 1e30}\n';
      const { body } = await json('POST', '/api/collections/c/documents', lines, NDJSON);
      expect(body).toMatchObject({
        inserted: 1,
        rejected: [{ line: 1, code: 'INVALID_DOCUMENT' }],
      });
      expect(await reasonOf('large')).toBe('wrong unit suspected');
    });

    it('[C4] writes over an expired _id as if it did not exist', async () => {
      await fetchFrom(host, 'POST', '/api/reaper/pause', '{}');
      const past = JSON.stringify({ exp: Math.floor((Date.now() - DAY) / 1_000), old: true });
      await put('again', past);
      const { body } = await json('POST', '/api/collections/c/documents', '{"_id": "again", "young": true}');
      expect(body).toMatchObject({ inserted: 1, rejected: [] });
      await fetchFrom(host, 'POST', '/api/reaper/resume', '{}');
      const { text } = await fetchFrom(host, 'GET', '/api/collections/c/documents/again');
      expect(JSON.parse(text)).toMatchObject({ document: { _id: 'again', young: true } });
    });
  });
}
