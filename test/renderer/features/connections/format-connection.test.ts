import { describe, expect, it } from 'vitest';
import {
  formatTest,
  nameProblem,
  refusedField,
  suggestedName,
  typedProblems,
} from '../../../../renderer/features/connections/format-connection.ts';
import { formatWrite } from '../../../../renderer/features/connections/format-write.ts';

describe('the result of a connection test', () => {
  it('states the number of collections and documents', () => {
    const found = { is: 'store', collections: 1, documents: 1_204_318, bytes: 2048, heldBy: null } as const;
    expect(formatTest(found)).toEqual({
      tone: 'good',
      text: 'A store: 1 collection, 1,204,318 documents, 2.0 kB.',
    });
  });

  it('names the process that has it open, and the next step', () => {
    const held = { is: 'store', collections: 0, documents: 0, bytes: 0, heldBy: 'process 4711' } as const;
    expect(formatTest(held)).toMatchObject({ tone: 'info', text: expect.stringContaining('process 4711') });
  });

  it('states that a new store would be created', () => {
    expect(formatTest({ is: 'new' }).text).toContain('creates an empty store');
  });

  it('gives a refusal with the engine’s message', () => {
    expect(formatTest({ is: 'refused', code: 'STORE_UNREADABLE', message: 'Not a store.' })).toEqual({
      tone: 'bad',
      text: 'Not a store.',
    });
  });
});

describe('the suggested name', () => {
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

describe('problems of the input', () => {
  const others = [{ name: 'orders' }];

  it('are empty for a full path and a free name', () => {
    for (const file of ['/a/b.sandglass', '~/b.sandglass', 'C:\\b.sandglass', '\\\\host\\b.sandglass'])
      expect(typedProblems({ file, name: 'new' }, others, true)).toEqual({});
  });

  it('[P1] include a path, a hidden file or another extension from the network', () => {
    expect(typedProblems({ file: 'b 2.sandglass', name: 'new' }, others, false)).toEqual({});
    for (const file of ['/a/b.sandglass', '../b.sandglass', 'a\\b.sandglass', '.b.sandglass', 'b.txt', 'b'])
      expect(typedProblems({ file, name: 'new' }, others, false)).toEqual({
        file: 'Enter a file name that ends in .sandglass, without a folder, or an address such as redis://localhost.',
      });
  });

  it('are reported by field', () => {
    expect(typedProblems({ file: ' ', name: '' }, others, true)).toEqual({
      file: 'Enter the path of a store’s file, or the address of a server.',
      name: 'Enter a name.',
    });
    expect(typedProblems({ file: 'b.sandglass', name: 'orders' }, others, true)).toEqual({
      file: 'Enter a full path, from / or ~/ on, or an address such as redis://localhost.',
      name: 'Another connection has this name.',
    });
    expect(nameProblem('x'.repeat(121), [])).toEqual({ name: 'A name has 120 characters at most.' });
  });

  it('include an error of the engine, at the file unless it names the field', () => {
    expect(refusedField({ field: 'name' })).toBe('name');
    expect(refusedField({ file: '/a' })).toBe('file');
    expect(refusedField({})).toBe('file');
  });
});

describe('the confirmation of a write', () => {
  it.each([
    [['documents', 'put'], { params: { collection: 'carts', id: 'u1' } }, 'Write the document u1 of carts.'],
    [
      ['documents', 'write'],
      { params: { collection: 'carts' }, body: [{}, {}] },
      'Write 2 new documents to carts.',
    ],
    [['documents', 'write'], { params: { collection: 'carts' }, body: {} }, 'Write 1 new document to carts.'],
    [['documents', 'deleteMany'], { collection: 'carts', ids: ['u1'] }, 'Delete the document u1 of carts.'],
    [
      ['documents', 'deleteMany'],
      { collection: 'carts', filter: {} },
      'Delete all documents that match the filter of carts.',
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
      'Resume removal in idle of carts: overdue documents are removed.',
    ],
    [['settings', 'update'], { batchMs: 4 }, 'Change the setting batchMs.'],
  ])('%j %j', (path, input, says) => {
    expect(formatWrite(path, input, 'From the contract').sentence).toBe(says);
  });

  it('uses the contract’s summary for other procedures', () => {
    expect(formatWrite(['replication', 'forget'], { follower: 'f' }, 'Forget a follower')).toEqual({
      sentence: 'Forget a follower.',
      button: 'Continue',
    });
  });

  it('does not fail on unexpected input', () => {
    expect(formatWrite(['documents', 'put'], undefined, '').sentence).toBe('Write the document  of .');
  });
});
