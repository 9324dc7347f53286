import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

type ReadOptions = Partial<Omit<Parameters<Client['exports']['read']>[0], 'collection'>>;

async function exportAll(client: Client, collection: string, options: ReadOptions = {}): Promise<string> {
  let text = '';
  for (let after: string | undefined; ; ) {
    const page = await client.exports.read({
      collection,
      ...options,
      ...(after === undefined ? {} : { after }),
    });
    text += page.text;
    if (page.next === null) return text;
    after = page.next;
  }
}

async function importAll(
  client: Client,
  collection: string,
  text: string,
  options: Partial<Parameters<Client['imports']['start']>[0]> = {},
) {
  const { id } = await client.imports.start({ collection, ...options });
  await client.imports.append({ job: id, text });
  return client.imports.finish({ job: id });
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { _id: string; $expiration?: object });

const at = (ms: number) => ({
  source: { kind: 'field' as const, field: 'at', unit: 'milliseconds' as const, expireAfter: ms / 1000 },
});

describe('an export', () => {
  it('returns each document’s text as written, one per line, in pages [C1]', async () => {
    const { client } = openTestEngine();
    const lines = [
      '{"_id":"a","n":1.50,"big":12345678901234567890}',
      '{ "_id": "b",  "s": "\\u00e9\\n" }',
      '{"_id":"c"}',
    ];
    await importAll(client, 'things', lines.join('\n'));
    expect(await exportAll(client, 'things')).toBe(`${lines.join('\n')}\n`);
    expect(await exportAll(client, 'things', { limit: 1 })).toBe(`${lines.join('\n')}\n`);
    await importAll(client, 'pretty', '[\n {\n  "_id": "x",\n  "t": "a\\nb"\n }\n]', { format: 'json' });
    expect(linesOf(await exportAll(client, 'pretty'))).toEqual([{ _id: 'x', t: 'a\nb' }]);
    await expect(client.exports.read({ collection: 'none' })).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
    await expect(client.exports.read({ collection: 'things', after: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('omits hidden documents unless requested, and removed ones always [V1]', async () => {
    const { client, clock, advance, settle } = openTestEngine();
    await importAll(
      client,
      'things',
      `{"_id":"soon","at":${NOON + SECOND}}\n{"_id":"late","at":${NOON + HOUR}}`,
    );
    await client.ttlIndexes.create({ collection: 'things', ...at(0) });
    await settle();
    await client.reaper.pause({});
    clock.advance(MINUTE);
    expect(linesOf(await exportAll(client, 'things')).map(({ _id }) => _id)).toEqual(['late']);
    expect(linesOf(await exportAll(client, 'things', { includeExpired: true }))).toHaveLength(2);
    // The due document was written again, which left a dead row in the file [C4].
    const pages = [
      client.documents.put({ params: { collection: 'things', id: 'soon' }, body: { n: 2 } }),
      exportAll(client, 'things', { includeExpired: true }),
    ] as const;
    expect(linesOf((await Promise.all(pages))[1])).toEqual([
      { _id: 'late', at: NOON + HOUR },
      { _id: 'soon', n: 2 },
    ]);
    await client.documents.setExpiration({
      params: { collection: 'things', id: 'soon' },
      body: { after: 1 },
    });
    await client.reaper.resume({});
    await advance(MINUTE);
    expect(linesOf(await exportAll(client, 'things', { includeExpired: true }))).toHaveLength(1);
  });

  it('keeps deadlines if requested: the index’s, the explicit one with its duration and action, a pin [E1]', async () => {
    const { client, settle } = openTestEngine();
    await importAll(
      client,
      'things',
      ['index', 'explicit', 'pinned', 'none']
        .map(_id => `{"_id":"${_id}"${_id === 'index' ? `,"at":${NOON + HOUR}` : ''}}`)
        .join('\n'),
    );
    await client.ttlIndexes.create({ collection: 'things', name: 'by_at', ...at(0) });
    await settle();
    const set = (id: string, body: object) =>
      client.documents.setExpiration({ params: { collection: 'things', id }, body: body as { never: true } });
    await set('explicit', { after: 60, onExpire: { action: 'patch', patch: { gone: true } } });
    await set('pinned', { never: true });
    expect(
      linesOf(await exportAll(client, 'things', { deadlines: true })).map(line => line.$expiration),
    ).toEqual([
      { deadlineAt: NOON + HOUR, deadlineFrom: 'by_at', exportedAt: NOON },
      {
        deadlineAt: NOON + MINUTE,
        deadlineFrom: 'explicit',
        exportedAt: NOON,
        explicit: { at: NOON + MINUTE, onExpire: { action: 'patch', patch: { gone: true } } },
        after: 60,
      },
      { deadlineAt: null, deadlineFrom: 'explicit', exportedAt: NOON, explicit: { never: true } },
      { deadlineAt: null, deadlineFrom: null, exportedAt: NOON },
    ]);
  });
});

describe('an import of an export with deadlines', () => {
  const explicit = (_id: string, deadlineAt: number, extra = {}) =>
    JSON.stringify({
      _id,
      $expiration: {
        deadlineAt,
        deadlineFrom: 'explicit',
        exportedAt: NOON - DAY,
        explicit: { at: deadlineAt },
        ...extra,
      },
    });
  const deadlinesIn = async (client: Client) =>
    Object.fromEntries(
      (await client.documents.list({ collection: 'there', includeExpired: true })).documents.map(one => {
        expect(Object.keys(one.document)).not.toContain('$expiration');
        return [one._id, one.deadlineFrom === null ? null : (one.deadlineAt ?? 'pinned')];
      }),
    );

  it('with absolute: keeps explicit instants unchanged; past ones are due [E1]', async () => {
    const { client } = openTestEngine();
    await client.reaper.pause({});
    const pin = JSON.stringify({
      _id: 'pin',
      $expiration: {
        deadlineAt: null,
        deadlineFrom: 'explicit',
        exportedAt: NOON,
        explicit: { never: true },
      },
    });
    const report = await importAll(
      client,
      'there',
      [explicit('past', NOON - HOUR), explicit('coming', NOON + HOUR), pin, '{"_id":"plain"}'].join('\n'),
    );
    expect(report).toMatchObject({ inserted: 4, expiredOnArrival: 1, rejectedCount: 0 });
    expect(await deadlinesIn(client)).toEqual({
      past: NOON - HOUR,
      coming: NOON + HOUR,
      pin: 'pinned',
      plain: null,
    });
  });

  it('[R9] with absolute: documents due on arrival hold it in the same transaction, until confirmed', async () => {
    const { client, settle, advance } = openTestEngine();
    await client.collections.create({ name: 'there' });
    await client.ttlIndexes.create({ collection: 'there', name: 'by_at', ...at(0) });
    await settle();
    const lines = (from: number) =>
      [
        explicit(`hand${from}`, NOON - HOUR),
        `{"_id":"field${from}","at":${NOON - DAY}}`,
        `{"_id":"late${from}","at":${NOON + DAY}}`,
      ]
        .map(line => `${line}\n`)
        .join('');
    await importAll(client, 'there', lines(1));
    await advance(HOUR);
    expect(await client.reaper.get()).toMatchObject({
      holds: [{ collection: 'there', cause: 'import', by: 'ada', due: 2, documents: 3 }],
    });
    expect((await client.collections.get({ collection: 'there' })).documents).toBe(3);
    // Another import updates the number due, and keeps the start of the hold.
    await importAll(client, 'there', lines(2));
    expect((await client.reaper.get()).holds).toMatchObject([{ since: NOON, due: 4, documents: 6 }]);
    await client.reaper.confirm({ collection: 'there' });
    await settle();
    expect((await client.collections.get({ collection: 'there' })).documents).toBe(2);
  });

  it.each(['remaining', 'none'] as const)(
    '[R9] with %s never holds the collection, nor does an ordinary write',
    async deadlines => {
      const { client, settle } = openTestEngine();
      await client.collections.create({ name: 'there' });
      await client.ttlIndexes.create({ collection: 'there', name: 'by_at', ...at(0) });
      await settle();
      await importAll(client, 'there', `{"_id":"a","at":${NOON - DAY}}\n{"_id":"b"}`, { deadlines });
      await client.documents.write({ params: { collection: 'there' }, body: { _id: 'c', at: NOON - DAY } });
      await settle();
      expect((await client.reaper.get()).holds).toEqual([]);
      expect((await client.collections.get({ collection: 'there' })).documents).toBe(1);
    },
  );

  it('with remaining: counts the time left from now, and keeps the duration for keep-alive [E2]', async () => {
    const { client, clock } = openTestEngine();
    await importAll(
      client,
      'there',
      [explicit('a', NOON - HOUR, { after: 7200 }), explicit('b', NOON - DAY + MINUTE)].join('\n'),
      { deadlines: 'remaining' },
    );
    expect(await deadlinesIn(client)).toEqual({ a: NOON + DAY - HOUR, b: NOON + MINUTE });
    clock.advance(SECOND);
    const kept = await client.exports.read({ collection: 'there', deadlines: true });
    expect(linesOf(kept.text)[0]?.$expiration).toMatchObject({ after: 7200 });
  });

  it('with none: sets no expiration, and removes the member from the document', async () => {
    const { client } = openTestEngine();
    await importAll(client, 'there', explicit('a', NOON + HOUR), { deadlines: 'none' });
    expect(await deadlinesIn(client)).toEqual({ a: null });
    expect((await client.exports.read({ collection: 'there' })).text).toBe('{"_id":"a"}\n');
  });

  it('with remaining: counts an index deadline from now, with its action, if an index here gives one', async () => {
    const { client, settle } = openTestEngine();
    const line = (_id: string, left: number) =>
      JSON.stringify({
        _id,
        at: NOON - 2 * DAY + left,
        $expiration: { deadlineAt: NOON - 2 * DAY + left, deadlineFrom: 'by_at', exportedAt: NOON - 2 * DAY },
      });
    const text = [line('a', HOUR), line('b', 3 * DAY), '{"_id":"c","at":"never"}'].join('\n');
    await client.collections.create({ name: 'there' });
    await client.ttlIndexes.create({
      collection: 'there',
      name: 'by_at',
      ...at(0),
      onExpire: { action: 'patch', patch: { done: true } },
    });
    await settle();
    await importAll(client, 'there', text, { deadlines: 'remaining' });
    expect(await deadlinesIn(client)).toEqual({ a: NOON + HOUR, b: NOON + 3 * DAY, c: null });
    const { text: again } = await client.exports.read({ collection: 'there', deadlines: true });
    expect(linesOf(again)[0]?.$expiration).toMatchObject({ explicit: { onExpire: { action: 'patch' } } });

    // Elsewhere the field has no meaning.
    await importAll(client, 'elsewhere', text, { deadlines: 'remaining' });
    const { documents } = await client.documents.list({ collection: 'elsewhere' });
    expect(documents.map(({ deadlineAt }) => deadlineAt)).toEqual([null, null, null]);
  });

  it('with remaining: sets nothing for a lastModified index, which every write restarts [D7]', async () => {
    const { client, settle } = openTestEngine();
    await client.collections.create({ name: 'there' });
    await client.ttlIndexes.create({
      collection: 'there',
      name: 'idle',
      source: { kind: 'lastModified', expireAfter: 3600 },
    });
    await settle();
    const kept = { deadlineAt: NOON, deadlineFrom: 'idle', exportedAt: NOON - MINUTE };
    await importAll(client, 'there', JSON.stringify({ _id: 'a', $expiration: kept }), {
      deadlines: 'remaining',
    });
    const { documents } = await client.documents.list({ collection: 'there' });
    expect(documents).toMatchObject([{ deadlineFrom: 'idle', deadlineAt: NOON + HOUR }]);
  });

  it('restores every document unchanged', async () => {
    const { client } = openTestEngine();
    await importAll(
      client,
      'here',
      [explicit('a', NOON + HOUR, { after: 60 }), '{"_id":"b","n":1.0}'].join('\n'),
    );
    const first = await exportAll(client, 'here', { deadlines: true });
    await importAll(client, 'there', first);
    expect(await exportAll(client, 'there', { deadlines: true })).toBe(first);
  });

  it('[A5, R4] with an invalid action is quarantined alone, with the reason', async () => {
    const { client, advance } = openTestEngine();
    const kept = (onExpire: object) => ({
      $expiration: {
        deadlineAt: NOON + MINUTE,
        deadlineFrom: 'explicit',
        exportedAt: NOON,
        explicit: { at: NOON + MINUTE, onExpire },
      },
    });
    const bad = { _id: 'bad', ...kept({ action: 'replace', expression: 'doc.(' }) };
    const good = { _id: 'good', ...kept({ action: 'delete' }) };
    await importAll(client, 'there', [bad, good].map(one => JSON.stringify(one)).join('\n'), {
      deadlines: 'absolute',
    });
    await advance(HOUR);
    const { documents } = await client.documents.list({ collection: 'there', includeExpired: true });
    expect(documents).toMatchObject([{ _id: 'bad', state: 'quarantined' }]);
    expect((await client.documents.explain({ collection: 'there', id: 'bad' })).sentence).toContain(
      'A name is expected',
    );
    expect((await client.reaper.get({})).problem).toBeNull();
  });

  it('with an invalid expiration sets nothing, and refuses a document that is not JSON [C1]', async () => {
    const { client } = openTestEngine();
    const report = await importAll(
      client,
      'there',
      '{"_id":"a","$expiration":"tomorrow"}\n{"$expiration": nonsense',
    );
    expect(report).toMatchObject({ inserted: 1, rejectedCount: 1 });
    expect(await deadlinesIn(client)).toEqual({ a: null });
  });
});
