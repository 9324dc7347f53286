import { describe, expect, it } from 'vitest';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { expired, WITHOUT_EXP, withAction } from './action-engine.ts';

describe('invalid actions', () => {
  for (const [what, onExpire, words] of [
    ['a patch of _id', { action: 'patch', patch: { _id: 'b' } }, 'cannot change _id'],
    [
      'a patch with a number that JSON cannot represent',
      { action: 'patch', patch: { a: Number.NaN } },
      'JSON cannot represent',
    ],
    ['an expression that does not compile', { action: 'replace', expression: 'merge(doc, ' }, 'Column'],
    [
      'an expression that does not give a document',
      { action: 'replace', expression: '1 + 1' },
      'should give a document',
    ],
  ] satisfies [string, OnExpire, string][]) {
    it(`[A2, A3] ${what} is an error when the index is created`, async () => {
      const { client } = await withAction({ action: 'delete' });
      const create = client.ttlIndexes.create({ collection: 'c', source: on('other'), onExpire });
      const { code, message } = await refusal(create);
      expect(code).toBe('INVALID_TTL_INDEX');
      expect(message).toContain(words);
      const set = client.documents.setExpiration({
        params: { collection: 'c', id: 'a' },
        body: { after: 60, onExpire },
      });
      expect(await refusal(set)).toMatchObject({ code: 'INVALID_EXPIRATION' });
    });
  }
});

describe('[A6] the check and the action are one transaction', () => {
  for (const onExpire of [
    { action: 'delete' },
    WITHOUT_EXP,
    { action: 'replace', expression: '{"replaced": true}' },
    { action: 'move', to: 'archive' },
  ] satisfies OnExpire[]) {
    it(`a refresh committed before the ${onExpire.action} is respected`, async () => {
      const { client, record, advance, engine } = await withAction(onExpire);
      await write(client, 'c', [
        { _id: 'a', exp: NOON + MINUTE },
        { _id: 'b', exp: NOON + MINUTE },
      ]);
      // The reaper has selected the due documents; before it acts, a write postpones one deadline.
      const { expiry } = engine.backend;
      const reap = expiry.reap.bind(expiry);
      const before: (number | null)[] = [];
      expiry.reap = (source, limits, pass) => {
        if (before.length === 0) {
          before.push(expiry.nextDeadline(source));
          engine.backend.setExpiration('c', ['a'], { at: NOON + DAY });
        }
        return reap(source, limits, pass);
      };
      await advance(MINUTE);
      expect(before).toEqual([NOON + MINUTE]);
      expect(await record('a')).toMatchObject({
        document: { _id: 'a', exp: NOON + MINUTE },
        deadlineAt: NOON + DAY,
      });
      expect(await expired(client)).toMatchObject([{ _id: 'b', action: onExpire.action }]);
    });
  }
});

describe('two indexes due at once', () => {
  it('[D9, A2, A4] act one after the other: first the patch, then the move of its result', async () => {
    const { client, document, advance } = await withAction(
      { action: 'patch', patch: { p: null, patched: true } },
      on('p'),
    );
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'mover',
      source: on('m'),
      onExpire: { action: 'move', to: 'archive' },
    });
    await advance(0);
    await write(client, 'c', [{ _id: 'a', p: NOON + SECOND, m: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await document('a', 'archive')).toEqual({ _id: 'a', m: NOON + SECOND, patched: true });
    expect((await expired(client)).map(({ index, action }) => [index, action])).toEqual([
      ['mover', 'move'],
      ['ttl', 'patch'],
    ]);
  });

  it('[V1, C4] of which only the later one hides the document: a write completes that one', async () => {
    const { client, document, advance } = await withAction({ action: 'patch', patch: { p: null } }, on('p'));
    await client.ttlIndexes.create({ collection: 'c', name: 'deleter', source: on('m') });
    await advance(0);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', p: NOON + SECOND, m: NOON + 2 * SECOND }]);
    await advance(SECOND);
    expect(await write(client, 'c', [{ _id: 'a' }])).toMatchObject({
      rejected: [{ code: 'DOCUMENT_EXISTS' }],
    });
    await advance(SECOND);
    expect(await write(client, 'c', [{ _id: 'a', young: true }])).toMatchObject({ inserted: 1 });
    expect(await document('a')).toEqual({ _id: 'a', young: true });
    expect(await expired(client)).toEqual([
      { _id: 'a', collection: 'c', index: 'deleter', action: 'delete', deadlineAt: NOON + 2 * SECOND },
    ]);
  });
});
