import { describe, expect, it } from 'vitest';
import {
  nameProblem,
  refusedField,
  suggestedName,
  testWords,
  typedProblems,
} from '../../../../renderer/features/connections/words.ts';
import { writeWords } from '../../../../renderer/features/connections/write-words.ts';

describe('what a test of a connection found', () => {
  it('counts what is in a store', () => {
    const found = { is: 'store', collections: 1, documents: 1_204_318, bytes: 2048, heldBy: null } as const;
    expect(testWords(found)).toEqual({
      tone: 'good',
      text: 'A store: 1 collection, 1,204,318 documents, 2.0 kB.',
    });
  });

  it('says who holds it, and what happens then', () => {
    const held = { is: 'store', collections: 0, documents: 0, bytes: 0, heldBy: 'process 4711' } as const;
    expect(testWords(held)).toMatchObject({ tone: 'info', text: expect.stringContaining('process 4711') });
  });

  it('says that a new one is made', () => {
    expect(testWords({ is: 'new' }).text).toContain('makes a new, empty store');
  });

  it('gives a refusal in the engine’s words', () => {
    expect(testWords({ is: 'refused', code: 'STORE_UNREADABLE', message: 'Not a store.' })).toEqual({
      tone: 'bad',
      text: 'Not a store.',
    });
  });
});

describe('the name that is suggested', () => {
  it.each([
    ['/var/data/orders.sandglass', 'orders'],
    ['C:\\data\\orders.SANDGLASS', 'orders'],
    ['~/a.b.sandglass', 'a.b'],
    ['/var/data/orders.db ', 'orders.db'],
    ['/var/data/', ''],
    ['', ''],
  ])('of %j is %j', (file, name) => {
    expect(suggestedName(file)).toBe(name);
  });
});

describe('what is wrong with what was typed', () => {
  const others = [{ name: 'orders' }];

  it('is nothing with a whole path and a free name', () => {
    for (const file of ['/a/b.sandglass', '~/b.sandglass', 'C:\\b.sandglass', '\\\\host\\b.sandglass'])
      expect(typedProblems({ file, name: 'new' }, others, true)).toEqual({});
  });

  it('[P1] is a path, a hidden file or another ending where a window of the network names a file', () => {
    expect(typedProblems({ file: 'b 2.sandglass', name: 'new' }, others, false)).toEqual({});
    for (const file of ['/a/b.sandglass', '../b.sandglass', 'a\\b.sandglass', '.b.sandglass', 'b.txt', 'b'])
      expect(typedProblems({ file, name: 'new' }, others, false)).toEqual({
        file: 'Type a file name that ends in .sandglass, without a folder.',
      });
  });

  it('is told of each field by itself', () => {
    expect(typedProblems({ file: ' ', name: '' }, others, true)).toEqual({
      file: 'Type the path of the store’s file.',
      name: 'Give it a name.',
    });
    expect(typedProblems({ file: 'b.sandglass', name: 'orders' }, others, true)).toEqual({
      file: 'Type the whole path, from / or ~/ on.',
      name: 'Another connection has this name.',
    });
    expect(nameProblem('x'.repeat(121), [])).toEqual({ name: 'A name has 120 characters at most.' });
  });

  it('is the file’s where the engine does not say that it is the name’s', () => {
    expect(refusedField({ field: 'name' })).toBe('name');
    expect(refusedField({ file: '/a' })).toBe('file');
    expect(refusedField({})).toBe('file');
  });
});

describe('what production is asked about', () => {
  it.each([
    [['documents', 'put'], { params: { collection: 'carts', id: 'u1' } }, 'Write the document u1 of carts.'],
    [
      ['documents', 'write'],
      { params: { collection: 'carts' }, body: [{}, {}] },
      'Write 2 new documents to carts.',
    ],
    [['documents', 'write'], { params: { collection: 'carts' }, body: {} }, 'Write 1 new document to carts.'],
    [
      ['documents', 'deleteMany'],
      { collection: 'carts', ids: ['u1'] },
      'Delete the document u1 of carts, for good.',
    ],
    [
      ['documents', 'deleteMany'],
      { collection: 'carts', filter: {} },
      'Delete all documents that match the filter of carts, for good.',
    ],
    [
      ['documents', 'setExpirations'],
      { collection: 'carts', ids: Array.from({ length: 1409 }, String), clear: true },
      'Clear the expiration of 1,409 documents in carts.',
    ],
    [['reaper', 'pause'], {}, 'Pause removal in the whole store.'],
    [
      ['reaper', 'resume'],
      { collection: 'carts', index: 'idle' },
      'Resume removal in idle of carts: what is overdue leaves.',
    ],
    [['settings', 'update'], { batchMs: 4 }, 'Change the setting batchMs.'],
  ])('%j %j', (path, input, says) => {
    expect(writeWords(path, input, 'From the contract').says).toBe(says);
  });

  it('is told in the contract’s words where there are no better ones', () => {
    expect(writeWords(['replication', 'forget'], { follower: 'f' }, 'Forget a follower')).toEqual({
      says: 'Forget a follower.',
      button: 'Go on',
    });
  });

  it('does not fail on what it was not meant for', () => {
    expect(writeWords(['documents', 'put'], undefined, '').says).toBe('Write the document  of .');
  });
});
