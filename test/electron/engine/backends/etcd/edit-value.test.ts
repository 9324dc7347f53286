import { describe, expect, it } from 'vitest';
import { revokeLease } from '../../../../../electron/engine/backends/etcd/leases/lease-calls.ts';
import { editValue } from '../../../../../electron/engine/backends/etcd/values/edit-value.ts';
import { bytesOfValue, shownValue } from '../../../../../electron/engine/backends/etcd/values/etcd-value.ts';
import { openTestEtcd } from '../../../../support/etcd-client.ts';
import { etcdOfSuite, NEEDS_ETCD } from '../../../../support/etcd-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const edit = (key: string, value: string, modRevision: number | null = null) => ({
  id: key,
  key: Buffer.from(key),
  value: Buffer.from(value),
  modRevision,
});

describe.runIf(runsHere('edits of values in etcd', NEEDS_ETCD))('an edit of a value in etcd', () => {
  const server = etcdOfSuite();

  it('keeps the lease of the key', async () => {
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(60);
    await etcd.put('edit/leased', 'before', lease);
    await editValue(etcd.client, edit('edit/leased', 'after'));
    expect(await etcd.get('edit/leased')).toMatchObject({ value: 'after', lease });
    await revokeLease(etcd.client, lease);
    expect(await etcd.get('edit/leased')).toBeNull();
  });

  it('adds no lease to a key without one', async () => {
    const etcd = openTestEtcd(server.uri);
    await etcd.put('edit/forever', 'before');
    await editValue(etcd.client, edit('edit/forever', 'after'));
    expect(await etcd.get('edit/forever')).toMatchObject({ value: 'after', lease: '0' });
  });

  it('does not restore a key that expired meanwhile', async () => {
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(60);
    await etcd.put('edit/gone', 'before', lease);
    const shown = await etcd.get('edit/gone');
    await revokeLease(etcd.client, lease);
    for (const revision of [null, shown?.modRevision ?? 0]) {
      await expect(editValue(etcd.client, edit('edit/gone', 'after', revision))).rejects.toMatchObject({
        code: 'DOCUMENT_NOT_FOUND',
      });
    }
    expect(await etcd.get('edit/gone')).toBeNull();
  });

  it('does not overwrite a value that another client wrote meanwhile, nor a key that was created again', async () => {
    const etcd = openTestEtcd(server.uri);
    await etcd.put('edit/shared', 'before');
    const shown = await etcd.get('edit/shared');
    await etcd.put('edit/shared', 'theirs');
    const mine = edit('edit/shared', 'mine', shown?.modRevision ?? 0);
    await expect(editValue(etcd.client, mine)).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    await etcd.delete('edit/shared');
    await etcd.put('edit/shared', 'anew');
    await expect(editValue(etcd.client, mine)).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    expect(await etcd.get('edit/shared')).toMatchObject({ value: 'anew' });
  });

  it('is applied once where several edits of one revision run at once', async () => {
    const etcd = openTestEtcd(server.uri);
    await etcd.put('edit/race', '0');
    const { modRevision = 0 } = (await etcd.get('edit/race')) ?? {};
    const edits = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => editValue(etcd.client, edit('edit/race', `${i + 1}`, modRevision))),
    );
    expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = edits.findIndex(({ status }) => status === 'fulfilled');
    expect(await etcd.get('edit/race')).toMatchObject({ value: `${winner + 1}` });
  });
});

describe('a displayed value of etcd', () => {
  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['an array with a large integer', '[9007199254740993]', [9007199254740993n]],
    ['JSON with spaces, as text', '{ "a": 1 }', '{ "a": 1 }'],
    ['JSON with a key given twice, as text', '{"a":1,"a":2}', '{"a":1,"a":2}'],
    ['a number, as text', '5', '5'],
    ['text', 'grüße', 'grüße'],
    ['text that begins like an encoded one', 'base64:AA==', 'base64:YmFzZTY0OkFBPT0='],
  ])('is %s', (_, stored, shown) => {
    expect(shownValue(Buffer.from(stored))).toEqual(shown);
    expect(bytesOfValue(shownValue(Buffer.from(stored))).toString()).toBe(stored);
  });

  it('is base64 where it is not UTF-8', () => {
    const bytes = Buffer.from([0x0a, 0xff, 0x00]);
    expect(shownValue(bytes)).toBe('base64:Cv8A');
    expect(bytesOfValue('base64:Cv8A')).toEqual(bytes);
  });
});
