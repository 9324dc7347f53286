import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { job } from '../../../shared/contract/jobs.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
});
afterAll(() => host.stop());

async function call<Answer>(
  schema: z.ZodType<Answer>,
  method: string,
  path: string,
  body?: string,
  type?: string,
) {
  const { status, text } = await fetchFrom(
    host,
    method,
    path,
    body,
    type === undefined ? undefined : { 'content-type': type },
  );
  return { status, body: schema.parse(JSON.parse(text)) };
}

/** Polls a job by its id until it has ended. */
async function ended(id: string) {
  for (;;) {
    const { body } = await call(job, 'GET', `/api/jobs/${id}`);
    if (body.state !== 'running') return body;
  }
}

describe('imports as jobs', () => {
  it('reads CSV by its content type, and mongoexport by its format', async () => {
    const base = '/api/collections/formats/imports';
    const rows = await call(job, 'POST', `${base}?delimiter=%3B`, '_id;a,b\nx;1\n', 'text/csv');
    expect(await ended(rows.body.id)).toMatchObject({ state: 'done', inserted: 1 });
    const exported = '{"_id":{"$oid":"507f1f77bcf86cd799439011"}}';
    const documents = await call(job, 'POST', `${base}?format=mongoexport`, exported, 'application/json');
    expect(await ended(documents.body.id)).toMatchObject({ state: 'done', inserted: 1 });
    const list = await fetchFrom(host, 'GET', '/api/collections/formats/documents');
    expect(JSON.parse(list.text).documents.map((found: { document: unknown }) => found.document)).toEqual([
      { _id: '507f1f77bcf86cd799439011' },
      { _id: 'x', 'a,b': 1 },
    ]);
    expect(
      (await fetchFrom(host, 'POST', `${base}?format=xml`, '', { 'content-type': 'text/xml' })).status,
    ).toBe(400);
  });

  it('returns the job, creates the collection, and reports the number of durable lines', async () => {
    const lines = Array.from({ length: 2_500 }, (_, i) => JSON.stringify({ code: i, text: 'é' }));
    lines[7] = '{"code": 7,';
    const started = await call(
      job,
      'POST',
      '/api/collections/quotes/imports?idField=code',
      lines.join('\n'),
      'application/x-ndjson',
    );
    expect(started.status).toBe(202);
    expect(await ended(started.body.id)).toMatchObject({
      state: 'done',
      committedLines: 2_500,
      inserted: 2_499,
      rejectedCount: 1,
      rejected: [{ line: 8, code: 'INVALID_DOCUMENT' }],
    });
    const summary = await call(z.object({ documents: z.number() }), 'GET', '/api/collections/quotes');
    expect(summary.body.documents).toBe(2_499);
  });

  it('reads a JSON array, and reports the line of an invalid element', async () => {
    const started = await call(
      job,
      'POST',
      '/api/collections/array/imports',
      '[\n{"_id":"a"},\n7,\n{"_id":"b"}\n]',
      'application/json',
    );
    expect(await ended(started.body.id)).toMatchObject({ inserted: 2, rejected: [{ line: 3 }] });
  });

  it('reports invalid parameters before anything is imported', async () => {
    const refusal = z.object({ code: z.string(), message: z.string() });
    const format = await call(refusal, 'POST', '/api/collections/x/imports?format=xml', 'x');
    expect(format).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const missing = await call(refusal, 'POST', '/api/collections/x/imports?create=false', '{}');
    expect(missing).toMatchObject({ status: 404, body: { code: 'COLLECTION_NOT_FOUND' } });
  });

  it('applies the remaining time of deadlines on request, and refuses unknown values [E1]', async () => {
    const now = Date.now();
    const $expiration = {
      deadlineAt: now - 1,
      deadlineFrom: 'explicit',
      exportedAt: now - 3_600_001,
      explicit: { at: now - 1 },
    };
    const line = JSON.stringify({ _id: 'a', $expiration });
    const path = '/api/collections/kept/imports';
    const { body } = await call(job, 'POST', `${path}?deadlines=remaining`, line, 'application/x-ndjson');
    expect(await ended(body.id)).toMatchObject({ state: 'done', inserted: 1, expiredOnArrival: 0 });
    const { text } = await fetchFrom(host, 'GET', '/api/collections/kept/documents/a');
    expect(JSON.parse(text)).toMatchObject({ document: { _id: 'a' }, deadlineFrom: 'explicit' });
    expect(JSON.parse(text).deadlineAt).toBeGreaterThan(now + 3_500_000);
    expect((await fetchFrom(host, 'POST', `${path}?deadlines=some`, line)).status).toBe(400);
  });
});
