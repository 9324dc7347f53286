import { describe, expect, it } from 'vitest';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { expired, withAction } from './action-engine.ts';

describe('move on expiry', () => {
  const MOVE: OnExpire = { action: 'move', to: 'archive' };

  it('[A4, C2] inserts the document unchanged into the other collection in one revision', async () => {
    const { client, record, advance, engine } = await withAction(MOVE);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, big: 12345678901234567890n }]);
    const { revision } = engine.backend;
    await advance(MINUTE);
    expect(engine.backend.revision).toBe(revision + 1);
    expect(await record('a', 'archive')).toMatchObject({
      document: { _id: 'a', exp: NOON + SECOND, big: 12345678901234567890n },
      updatedAt: NOON,
    });
    expect(await refusal(record('a'))).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, bytes: 0 });
    expect(await client.collections.get({ collection: 'archive' })).toMatchObject({ documents: 1 });
    expect(await expired(client)).toMatchObject([{ _id: 'a', collection: 'c', action: 'move' }]);
  });

  it('[V1] hides the document from its deadline on', async () => {
    const { client, advance } = await withAction(MOVE);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect((await client.documents.list({ collection: 'c' })).documents).toEqual([]);
    expect((await client.documents.list({ collection: 'c', includeExpired: true })).documents).toMatchObject([
      { _id: 'a', hidden: true },
    ]);
  });

  it('[C4] is completed by a write of the same _id: the old document is archived, and a new one created', async () => {
    const { client, document, advance } = await withAction(MOVE);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, old: true }]);
    await advance(MINUTE);
    expect(await write(client, 'c', [{ _id: 'a', young: true }])).toMatchObject({
      inserted: 1,
      rejected: [],
    });
    expect(await document('a', 'archive')).toMatchObject({ old: true });
    expect(await document('a')).toEqual({ _id: 'a', young: true });
    expect((await client.metrics.expired({})).expired).toMatchObject([{ action: 'move', pass: 0 }]);
  });

  it('[A5] does not move the document if the _id is in use', async () => {
    const { client, record, advance } = await withAction(MOVE);
    await write(client, 'archive', [{ _id: 'a', there: true }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined', hidden: false });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'archive has a document with this _id already',
    );
    // A write retries the action.
    await client.documents.delete({ collection: 'archive', id: 'a' });
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, again: true }], { mode: 'upsert' });
    await advance(MINUTE);
    expect(await record('a', 'archive')).toMatchObject({ document: { again: true } });
  });

  it('[A4, C4] reuses the _id of a hidden document in the target, after completing its action', async () => {
    const { client, document, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', name: 'purge', source: on('until') });
    await advance(0);
    await client.reaper.pause({ collection: 'archive' });
    await write(client, 'archive', [{ _id: 'a', until: NOON + 1 }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, young: true }]);
    await advance(MINUTE);
    expect(await document('a', 'archive')).toMatchObject({ young: true });
    expect(await expired(client)).toMatchObject([
      { collection: 'c', index: 'ttl' },
      { collection: 'archive', index: 'purge', action: 'delete' },
    ]);
  });

  it('[A5, R9] waits for the confirmation if the _id belongs to a held, due document in the target', async () => {
    const { client, engine, document, record, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', name: 'purge', source: on('until') });
    await advance(0);
    await write(client, 'archive', [{ _id: 'a', until: NOON + 1, held: true }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    engine.backend.holds.place({ collection: 'archive', cause: 'import', by: 'ada' });
    await advance(MINUTE);
    expect(await document('a', 'archive')).toMatchObject({ held: true });
    expect(await record('a')).toMatchObject({ state: 'quarantined', hidden: false });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'archive has a document with this _id already, and what is due in archive is held',
    );
  });

  it('[A5] does not move a document that would be due immediately in the target', async () => {
    const { client, record, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', source: on('exp') });
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined' });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'It would be due in archive immediately.',
    );
  });

  it('[A4] of documents between two collections that move them to each other terminates', async () => {
    const { client, advance, complaints } = await withAction(MOVE);
    await client.ttlIndexes.create({
      collection: 'archive',
      source: on('exp'),
      onExpire: { action: 'move', to: 'c' },
    });
    await advance(0);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await write(client, 'archive', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(complaints).toEqual([]);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1, quarantined: 1 });
    expect(await client.collections.get({ collection: 'archive' })).toMatchObject({
      documents: 1,
      quarantined: 1,
    });
  });

  it('[A4] to an unknown collection or to its own is refused; if the target is dropped, the document is quarantined', async () => {
    const { client, record, advance } = await withAction(MOVE);
    for (const to of ['nowhere', 'c']) {
      const wrong = { collection: 'c', source: on('other'), onExpire: { action: 'move' as const, to } };
      expect(await refusal(client.ttlIndexes.create(wrong))).toMatchObject({ code: 'INVALID_TTL_INDEX' });
      const change = { collection: 'c', index: 'ttl', onExpire: wrong.onExpire };
      expect(await refusal(client.ttlIndexes.update(change))).toMatchObject({ code: 'INVALID_TTL_INDEX' });
    }
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await client.collections.drop({ collection: 'archive' });
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined' });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'The collection archive to move it to no longer exists',
    );
  });
});
