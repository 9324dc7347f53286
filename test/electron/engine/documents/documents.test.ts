import { describe, expect, it } from 'vitest';
import { LARGEST_DOCUMENT_BYTES, LONGEST_ID_BYTES } from '../../../../shared/model/names.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

const EMOJI_NAME = '🦉'.repeat(120);

async function withCollection(name = 'c') {
  const test = openTestEngine();
  await test.client.collections.create({ name });
  return test;
}

describe('an _id', () => {
  it('[C1] is generated as a UUIDv7 of the write time if missing', async () => {
    const { client } = await withCollection();
    const { ids } = await write(client, 'c', [{ a: 1 }, { a: 2 }]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOON);
    }
    expect((await client.documents.get({ collection: 'c', id: ids[0] ?? '' })).document).toEqual({
      _id: ids[0],
      a: 1,
    });
  });

  it('[C1] may contain any characters, and finds its document', async () => {
    const { client, settle } = await withCollection();
    const strange = [
      '"',
      "'; DROP TABLE documents_1; --",
      'nul\u0000nul',
      '\u0000',
      'a/b',
      '🦉',
      'é',
      'e\u0301',
      '\n',
      ' ',
      'x'.repeat(512),
      '%',
      '__proto__',
    ];
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await settle();
    await write(
      client,
      'c',
      strange.map(_id => ({ _id, exp: NOON + DAY })),
    );
    for (const id of strange) {
      expect((await client.documents.get({ collection: 'c', id }))._id).toBe(id);
      expect((await client.documents.explain({ collection: 'c', id })).deadlineAt).toBe(NOON + DAY);
    }
    expect((await listIds(client, { collection: 'c', limit: 2 })).length).toBe(strange.length);
    expect(
      new Set(await listIds(client, { collection: 'c', limit: 1, sort: 'deadline', order: 'desc' })),
    ).toEqual(new Set(strange));
    const { succeeded } = await client.documents.deleteMany({ collection: 'c', ids: strange });
    expect(succeeded).toBe(strange.length);
  });

  it('[C1] is a string of 1 to 512 bytes; a document without a valid one is refused with the reason', async () => {
    const { client } = await withCollection();
    const { rejected, inserted } = await write(client, 'c', [
      { _id: '' },
      { _id: 'é'.repeat(LONGEST_ID_BYTES / 2) },
      { _id: `${'é'.repeat(LONGEST_ID_BYTES / 2)}x` },
      { _id: 7 },
      { _id: null },
      ['a'],
      'text',
      null,
      { _id: 'good' },
    ]);
    expect(inserted).toBe(2);
    expect(rejected.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8]);
    expect(rejected.every(({ code }) => code === 'INVALID_DOCUMENT')).toBe(true);
    expect(rejected.map(({ message }) => message)).toEqual([
      '_id is empty; omit it to have one generated.',
      '_id has at most 512 bytes.',
      '_id is a string; this one is number.',
      '_id is a string; this one is null.',
      'A document is a JSON object; this is an array.',
      'A document is a JSON object; this is a string.',
      'A document is a JSON object; this is null.',
    ]);
  });

  it('[C1] that is not JSON is refused with line and column', async () => {
    const { client } = await withCollection();
    const job = await client.imports.start({ collection: 'c', mode: 'insert' });
    await client.imports.append({ job: job.id, text: '{"a": 1}\n{broken\n' });
    const { rejected } = await client.imports.finish({ job: job.id });
    expect(rejected?.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      "2: Not JSON: Expected property name or '}' at column 2",
    ]);
  });

  it('[C1] with a lone surrogate is refused, since two of them would be stored as one', async () => {
    const { client } = await withCollection();
    const { inserted, rejected } = await write(client, 'c', [{ _id: '\ud800' }, { _id: '\ud801' }]);
    expect(inserted).toBe(0);
    expect(rejected.map(({ code }) => code)).toEqual(['INVALID_DOCUMENT', 'INVALID_DOCUMENT']);
  });
});

describe('a document', () => {
  it('[C1] keeps integers beyond 2^53, and every digit as given', async () => {
    const { client } = await withCollection();
    const text = '{"_id":"n","big":12345678901234567890,"money":1.50,"small":-9007199254740993}';
    await client.documents.write({ params: { collection: 'c' }, body: text });
    const { document } = await client.documents.get({ collection: 'c', id: 'n' });
    expect(document).toEqual({ _id: 'n', big: 12345678901234567890n, money: 1.5, small: -9007199254740993n });
    await client.documents.put({ params: { collection: 'c', id: 'n' }, body: { ...document, more: true } });
    const again = await client.documents.get({ collection: 'c', id: 'n' });
    expect(again.document.big).toBe(12345678901234567890n);
  });

  it('[C1] takes its _id from a field of long numbers without rounding two into one', async () => {
    const { client } = await withCollection();
    const job = await client.imports.start({ collection: 'c', idField: 'n', mode: 'insert' });
    await client.imports.append({
      job: job.id,
      text: '{"n":12345678901234567890}\n{"n":12345678901234567891}\n{"n":7}\n',
    });
    const ended = await client.imports.finish({ job: job.id });
    expect(ended).toMatchObject({ inserted: 3, rejectedCount: 0 });
    expect(await listIds(client, { collection: 'c' })).toEqual([
      '12345678901234567890',
      '12345678901234567891',
      '7',
    ]);
  });

  it('[C1] may have up to 16 MiB, and not one byte more', async () => {
    const { client } = await withCollection();
    const frame = '{"_id":"x","t":""}'.length;
    const fits = { _id: 'x', t: 'a'.repeat(LARGEST_DOCUMENT_BYTES - frame) };
    expect(await write(client, 'c', [fits])).toMatchObject({ inserted: 1 });
    const { rejected } = await write(client, 'c', [{ ...fits, _id: 'y', t: `${fits.t}a` }]);
    expect(rejected).toMatchObject([{ code: 'DOCUMENT_TOO_LARGE', line: 1 }]);
    expect((await client.collections.get({ collection: 'c' })).bytes).toBe(LARGEST_DOCUMENT_BYTES);
    expect((await client.documents.get({ collection: 'c', id: 'x' })).bytes).toBe(LARGEST_DOCUMENT_BYTES);
  });

  it('[C1] that is too large is refused also in an import, whose other lines continue', async () => {
    const { client } = await withCollection();
    const job = await client.imports.start({ collection: 'c' });
    const piece = 'a'.repeat(1 << 20);
    await client.imports.append({ job: job.id, text: '{"_id":"a"}\n{"_id":"large","t":"' });
    for (let i = 0; i < 17; i++) await client.imports.append({ job: job.id, text: piece });
    await client.imports.append({ job: job.id, text: '"}\n{"_id":"b"}\n' });
    const ended = await client.imports.finish({ job: job.id });
    expect(ended).toMatchObject({ inserted: 2, committedLines: 3 });
    expect(ended.rejected).toMatchObject([{ line: 2, code: 'DOCUMENT_TOO_LARGE' }]);
  }, 60_000);

  it('[C1] that is invalid does not affect valid ones of its batch, except with atomic', async () => {
    const { client, engine } = await withCollection();
    const batch = [{ _id: 'a' }, { _id: 3 }, { _id: 'b' }, { _id: 'a' }];
    expect(await write(client, 'c', batch)).toMatchObject({
      inserted: 2,
      ids: ['a', 'b'],
      rejected: [
        { line: 2, code: 'INVALID_DOCUMENT' },
        { line: 4, _id: 'a', code: 'DOCUMENT_EXISTS' },
      ],
    });
    const { revision } = engine.backend;
    const refused = await refusal(write(client, 'c', [{ _id: 'x' }, { _id: 3 }], { atomic: true }));
    expect(refused).toMatchObject({ code: 'INVALID_DOCUMENT', data: { rejected: [{ line: 2 }] } });
    expect(engine.backend.revision).toBe(revision);
    expect(await listIds(client, { collection: 'c' })).toEqual(['a', 'b']);
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(2);
  });

  it('[C1] has the same size when written and removed, with any lone surrogates in its text', async () => {
    const { client } = await withCollection();
    await client.documents.write({ params: { collection: 'c' }, body: '{"_id":"a","t":"\ud800 half"}' });
    await client.documents.delete({ collection: 'c', id: 'a' });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, bytes: 0 });
  });

  it('[C2] carries its write time, which expiration edits do not change', async () => {
    const { client, advance } = await withCollection();
    await write(client, 'c', [{ _id: 'a' }]);
    await advance(MINUTE);
    await client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { after: 3_600 } });
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({ updatedAt: NOON });
    await client.documents.put({ params: { collection: 'c', id: 'a' }, body: { n: 1 } });
    const record = await client.documents.get({ collection: 'c', id: 'a' });
    expect(record.updatedAt).toBe(NOON + MINUTE);
    expect(record.document).toEqual({ _id: 'a', n: 1 });
  });

  it('[C3] keeps its explicit expiration when it is edited by any write call', async () => {
    const { client } = await withCollection();
    await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }]);
    await client.documents.setExpirations({ collection: 'c', ids: ['a', 'b'], set: { at: NOON + HOUR } });
    await client.documents.put({ params: { collection: 'c', id: 'a' }, body: { n: 1 } });
    await write(client, 'c', [{ _id: 'b', n: 2 }], { mode: 'upsert' });
    for (const id of ['a', 'b']) {
      expect(await client.documents.get({ collection: 'c', id })).toMatchObject({
        deadlineAt: NOON + HOUR,
        deadlineFrom: 'explicit',
      });
    }
  });

  it('[C1] whose address and _id differ is refused', async () => {
    const { client } = await withCollection();
    const call = client.documents.put({ params: { collection: 'c', id: 'a' }, body: { _id: 'b' } });
    expect((await refusal(call)).code).toBe('INVALID_DOCUMENT');
  });
});

describe('a write to the _id of a hidden document', () => {
  it('[C4] completes the pending action, then creates a document without the old explicit expiration', async () => {
    const { client, clock } = await withCollection();
    await write(client, 'c', [{ _id: 'a', n: 1 }]);
    await client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { after: 1 } });
    await client.reaper.pause({});
    clock.set(NOON + 2 * SECOND);
    expect(await write(client, 'c', [{ _id: 'a', n: 2 }])).toMatchObject({
      inserted: 1,
      updated: 0,
      rejected: [],
    });
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({
      document: { n: 2 },
      deadlineAt: null,
    });
    expect((await client.metrics.expired({})).expired).toMatchObject([
      { _id: 'a', index: 'explicit', deadlineAt: NOON + SECOND, removedAt: NOON + 2 * SECOND, pass: 0 },
    ]);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1, overdue: 0 });
  });

  it('[C4] within one batch completes each document by the next, and counts expiries on arrival', async () => {
    const { client, settle } = await withCollection();
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await settle();
    await client.reaper.pause({});
    const report = await write(client, 'c', [
      { _id: 'a', n: 1, exp: NOON - 3 },
      { _id: 'a', n: 2, exp: NOON - 2 },
      { _id: 'a', n: 3, exp: NOON + DAY },
      { _id: 'a', n: 4, exp: NOON + DAY },
    ]);
    expect(report).toMatchObject({
      inserted: 3,
      expiredOnArrival: 2,
      rejected: [{ line: 4, code: 'DOCUMENT_EXISTS' }],
    });
    const { expired } = await client.metrics.expired({});
    expect(expired.map(({ deadlineAt }) => deadlineAt)).toEqual([NOON - 2, NOON - 3]);
    expect(new Set(expired.map(({ revision }) => revision)).size).toBe(1);
    expect(new Set(expired.map(({ position }) => position)).size).toBe(2);
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({ document: { n: 3 } });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 1,
      withDeadline: 1,
    });
  });

  it('[C4] with atomic also rolls back the completion', async () => {
    const test = await withCollection();
    const { client, clock } = test;
    await write(client, 'c', [{ _id: 'a', n: 1 }]);
    await client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { after: 1 } });
    await client.reaper.pause({});
    clock.set(NOON + 2 * SECOND);
    await refusal(write(client, 'c', [{ _id: 'a', n: 2 }, 'bad'], { atomic: true }));
    expect(await client.documents.get({ collection: 'c', id: 'a', includeExpired: true })).toMatchObject({
      document: { n: 1 },
      state: 'paused',
    });
    expect((await client.metrics.expired({})).expired).toEqual([]);
    await client.reaper.resume({});
    await test.settle();
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, bytes: 0 });
    expect((await client.metrics.expired({})).expired).toHaveLength(1);
  });
});

describe('a name', () => {
  it('[C1] has 1 to 120 characters, an emoji being one, and no “/” or control character', async () => {
    const { client, settle } = openTestEngine();
    for (const name of [EMOJI_NAME, "'; DROP TABLE meta; --", 'é', ' ', 'explicit']) {
      await client.collections.create({ name });
      await write(client, name, [{ _id: 'a', exp: NOON + DAY }]);
      await client.ttlIndexes.create({
        collection: name,
        name: name === 'explicit' ? 'x' : name,
        source: on('exp'),
      });
      await settle();
      expect(await client.collections.get({ collection: name })).toMatchObject({ name, withDeadline: 1 });
    }
    for (const name of ['', 'a/b', 'a\nb', '\u0000', `${EMOJI_NAME}x`, '\ud800', 'x'.repeat(121)]) {
      expect((await refusal(client.collections.create({ name }))).code).toBe('INVALID_NAME');
      const index = client.ttlIndexes.create({ collection: 'é', name, source: on('exp') });
      expect((await refusal(index)).code).toBe('INVALID_NAME');
    }
  });

  it('[C1] is unique among collections, and among the indexes of a collection', async () => {
    const { client } = await withCollection();
    expect((await refusal(client.collections.create({ name: 'c' }))).code).toBe('COLLECTION_EXISTS');
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    const again = client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('other') });
    expect((await refusal(again)).code).toBe('TTL_INDEX_EXISTS');
    const reserved = client.ttlIndexes.create({ collection: 'c', name: 'explicit', source: on('exp') });
    expect((await refusal(reserved)).code).toBe('INVALID_NAME');
  });

  it('[C1] is generated for an unnamed index, also for a second one on a field of the longest name', async () => {
    const { client } = await withCollection();
    const names: string[] = [];
    for (const field of ['at', 'at', 'x'.repeat(500), 'x'.repeat(500), 'a/b', 'tab\there']) {
      names.push(
        (await client.ttlIndexes.create({ collection: 'c', source: on(field, { expireAfter: 60 }) })).name,
      );
    }
    expect(new Set(names).size).toBe(6);
    expect(names[0]).toBe('at_1m');
  });
});

describe('a collection', () => {
  it('[C1] that is empty answers every query', async () => {
    const { client, settle } = await withCollection();
    const source = on('exp');
    expect(await client.ttlIndexes.preview({ collection: 'c', source })).toMatchObject({
      documents: 0,
      dueAtOnce: 0,
      drainMs: 0,
      nextDeadlineAt: null,
    });
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source });
    await settle();
    expect(await client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject({
      state: 'ready',
      documents: 0,
      never: { count: 0 },
    });
    expect(await client.documents.list({ collection: 'c' })).toMatchObject({ documents: [], next: null });
    expect(await client.documents.list({ collection: 'c', sort: 'deadline', order: 'desc' })).toMatchObject({
      documents: [],
    });
    expect(await client.ttlIndexes.candidates({ collection: 'c' })).toMatchObject({ sampled: 0, fields: [] });
    expect(await client.timeline.get({ collection: 'c', from: NOON, to: NOON + HOUR })).toMatchObject({
      overdue: 0,
      nextDeadlineAt: null,
    });
    expect(await client.metrics.get({ collection: 'c' })).toMatchObject({
      documents: 0,
      drainMs: 0,
      lag: { count: 0, p99Ms: null },
    });
    expect(await client.reaper.run({ collection: 'c' })).toEqual({
      removed: 0,
      changed: 0,
      quarantined: 0,
      passes: [],
    });
  });

  it('suggests a field for deadlines with an example of its most common values', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'c' });
    await write(client, 'c', [
      { ends: 'tomorrow', plain: 'a' },
      { ends: 1_795_300_191, plain: 'b' },
      { ends: '2026-11-21T22:30:11Z', plain: 'c' },
      { ends: '2026-11-21T22:30:12Z', plain: 'd' },
    ]);
    const { fields } = await client.ttlIndexes.candidates({ collection: 'c' });
    expect(fields).toMatchObject([
      { field: 'ends', format: 'ISO 8601', example: '2026-11-21T22:30:11Z' },
      { field: 'plain', format: 'not a date', example: 'a' },
    ]);
  });

  it('[C1] when dropped, returns the number of its documents and leaves no row', async () => {
    const test = await withCollection();
    const { client } = test;
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await test.settle();
    await write(
      client,
      'c',
      Array.from({ length: 30 }, (_, i) => ({ _id: String(i), exp: NOON + (i < 10 ? SECOND : DAY) })),
    );
    // Ten are removed and not yet swept when it is dropped.
    test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind === 'expire') test.engine.backend.setPause({}, { by: 'ada', since: NOON }, 'ada');
    });
    test.clock.advance(SECOND);
    expect(test.engine.backend.unswept()).toBe(10);
    expect(await client.collections.drop({ collection: 'c' })).toEqual({ dropped: true, documents: 20 });
    await client.reaper.resume({});
    await test.settle();
    expect((await client.reaper.get({})).unswept).toBe(0);
    await client.collections.create({ name: 'c' });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 0,
      ttlIndexes: 0,
      state: 'none',
    });
    expect(await client.metrics.expired({ collection: 'c' })).toMatchObject({ expired: [] });
    await write(client, 'c', [{ _id: '0' }]);
    expect(await listIds(client, { collection: 'c' })).toEqual(['0']);
  });

  it('[C1] dropped right after a write returns the number of documents after that write', async () => {
    const { client } = await withCollection();
    await write(client, 'c', [{}, {}, {}]);
    expect(await client.collections.drop({ collection: 'c' })).toMatchObject({ documents: 3 });
  });

  it('[C1] can be dropped during an import, which then ends with that reason', async () => {
    const { client } = await withCollection();
    const job = await client.imports.start({ collection: 'c' });
    await client.imports.append({ job: job.id, text: '{"_id":"a"}\n' });
    await client.collections.drop({ collection: 'c' });
    expect((await refusal(client.imports.append({ job: job.id, text: '{"_id":"b"}\n' }))).code).toBe(
      'COLLECTION_NOT_FOUND',
    );
    expect(await client.jobs.get({ job: job.id })).toMatchObject({ state: 'failed', committedLines: 1 });
  });
});

describe('paging', () => {
  it('[V1] through equal deadlines shows each document once, in both directions and at every page size', async () => {
    const { client, settle } = await withCollection();
    for (const field of ['a', 'b'])
      await client.ttlIndexes.create({ collection: 'c', name: field, source: on(field) });
    await settle();
    const same = NOON + HOUR;
    await write(
      client,
      'c',
      Array.from({ length: 23 }, (_, i) => ({
        _id: String(i),
        a: i % 2 === 0 ? same : same + DAY,
        b: i % 3 === 0 ? same : same + 2 * DAY,
      })),
    );
    for (const order of ['asc', 'desc'] as const) {
      for (const limit of [1, 2, 5, 22, 23, 24]) {
        const ids = await listIds(client, { collection: 'c', sort: 'deadline', order, limit });
        expect(ids).toHaveLength(23);
        expect(new Set(ids).size).toBe(23);
      }
    }
  });

  it('[V1] with an invalid cursor is refused', async () => {
    const { client } = await withCollection();
    expect((await refusal(client.documents.list({ collection: 'c', after: 'nonsense' }))).code).toBe(
      'BAD_REQUEST',
    );
  });
});
