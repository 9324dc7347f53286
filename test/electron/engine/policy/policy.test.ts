import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import type { Policy } from '../../../../shared/contract/policy.ts';
import { policyDocument as policySchema } from '../../../../shared/contract/policy.ts';
import { NOON, openTestEngine } from '../../../support/engine.ts';
import { anyIndexPolicy } from '../../../support/policies.ts';

const LATE = 3_600;
/** Collection with ten documents that were due an hour ago by `at`. */
async function filled(client: Client, collection: string): Promise<void> {
  await client.collections.create({ name: collection });
  const body = Array.from({ length: 10 }, (_, i) => ({ _id: `d${i}`, at: NOON / 1000 - LATE }));
  await client.documents.write({ params: { collection }, query: { mode: 'insert', atomic: false }, body });
}

const byField = (expireAfter: number) => ({ source: { kind: 'field' as const, field: 'at', expireAfter } });
const policyOf = (collections: object): Policy => policySchema.parse({ version: 1, collections });

async function applied(client: Client, policy: Policy, expect?: { due: number }) {
  const { id } = await client.policy.apply({ policy, ...(expect === undefined ? {} : { expect }) });
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe('the policy of a store', () => {
  it('states the TTL indexes of every collection, and none of them is a difference', async () => {
    const { client, settle } = openTestEngine();
    await filled(client, 'sessions');
    await client.collections.create({ name: 'free' });
    await client.ttlIndexes.create({ collection: 'sessions', name: 'at', ...byField(90 * 86_400) });
    await settle();
    const { policy, omitted } = await client.policy.export();
    expect(omitted).toBe(0);
    expect(policy.collections).toMatchObject({
      free: { ttlIndexes: {} },
      sessions: { ttlIndexes: { at: {} } },
    });
    expect(await client.policy.diff({ policy })).toMatchObject({
      drift: [],
      driftCount: 0,
      incomplete: null,
    });
  });

  it('[X3] lists each difference with the number of documents that applying it makes due', async () => {
    const { client, settle } = openTestEngine();
    await filled(client, 'sessions');
    const collection = 'sessions';
    await client.ttlIndexes.create({ collection, name: 'changed', ...byField(90 * 86_400) });
    await client.ttlIndexes.create({ collection, name: 'extra', ...byField(91 * 86_400) });
    await settle();
    const policy = policyOf({
      sessions: { ttlIndexes: { changed: byField(60), missing: byField(30 * 86_400) } },
      absent: { ttlIndexes: { at: byField(0) } },
    });
    const { drift, effect } = await client.policy.diff({ policy });
    expect(drift.map(({ is, index, due, documents }) => [is, index, due, documents])).toEqual([
      ['different index', 'changed', 10, 10],
      ['missing index', 'missing', 0, 10],
      ['unexpected index', 'extra', 0, 10],
      ['missing collection', null, 0, 0],
      ['missing index', 'at', 0, 0],
    ]);
    expect(drift[0]?.sentence).toBe('changed of sessions: deadline at + 90d → at + 1m.');
    expect(effect).toMatchObject({ due: 10, collections: [{ collection, documents: 10, due: 10 }] });
    expect(await client.policy.diff({ policy, count: false })).toMatchObject({
      driftCount: 5,
      effect: null,
      drift: [{ due: null }, { due: null }, {}, {}, {}],
    });
  });

  it('is applied as one job, after which nothing differs and the policy is kept', async () => {
    const { client, settle, file, reopen } = openTestEngine();
    await filled(client, 'sessions');
    const collection = 'sessions';
    await client.ttlIndexes.create({ collection, name: 'replaced', ...byField(90 * 86_400) });
    await client.ttlIndexes.create({ collection, name: 'extra', ...byField(91 * 86_400) });
    await settle();
    const policy = policyOf({
      sessions: {
        ttlIndexes: {
          replaced: { source: { kind: 'lastModified', expireAfter: 86_400 } },
          missing: byField(30 * 86_400),
        },
      },
      absent: { ttlIndexes: {} },
    });
    expect(await applied(client, policy)).toMatchObject({
      state: 'done',
      result: '1 collection created, 1 TTL index created, 1 TTL index changed, 1 TTL index dropped',
    });
    await settle();
    expect(await client.policy.diff()).toMatchObject({ driftCount: 0 });
    expect(await client.policy.expected()).toEqual({ policy, by: 'ada', since: NOON });
    expect(statSync(`${file}-policy`).mode & 0o777).toBe(0o600);
    const again = await reopen();
    expect(await again.client.policy.expected()).toEqual({ policy, by: 'ada', since: NOON });
    await again.client.policy.expect({ policy: null });
    expect(await again.client.policy.expected()).toBeNull();
    await expect(again.client.policy.diff()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('[R8] is refused with its effect until the number of due documents is confirmed', async () => {
    const { client, settle } = openTestEngine();
    await filled(client, 'sessions');
    await client.settings.update({ confirmDocuments: 5, confirmShare: 0.1 });
    const policy = policyOf({ sessions: { ttlIndexes: { at: byField(60) } } });
    await expect(client.policy.apply({ policy })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
      data: { effect: { due: 10, needsConfirmation: true } },
    });
    await expect(client.policy.apply({ policy, expect: { due: 3 } })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
    });
    expect(await client.policy.expected()).toBeNull();
    expect(await client.ttlIndexes.list({ collection: 'sessions' })).toEqual([]);
    expect(await applied(client, policy, { due: 10 })).toMatchObject({ state: 'done' });
    await settle();
    expect(await client.collections.get({ collection: 'sessions' })).toMatchObject({ documents: 0 });
  });

  it('reports the change that failed, and makes the others', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'a' });
    const policy = policyOf({
      a: {
        ttlIndexes: {
          bad: { source: { kind: 'field', field: 'a..b', expireAfter: 1 } },
          good: byField(60),
        },
      },
    });
    await expect(client.policy.diff({ policy })).rejects.toMatchObject({ code: 'INVALID_TTL_INDEX' });
    const job = await applied(
      client,
      policyOf({
        a: {
          ttlIndexes: {
            bad: { ...byField(1), onExpire: { action: 'move', to: 'nowhere' } },
            good: byField(60),
          },
        },
      }),
    );
    expect(job).toMatchObject({ state: 'failed', failed: [{ _id: 'a/bad' }], result: '1 TTL index created' });
    expect((await client.ttlIndexes.list({ collection: 'a' })).map(({ name }) => name)).toEqual(['good']);
  });

  it('has no TTLs of keys in a store with TTL indexes', async () => {
    const { client } = openTestEngine();
    const policy = policyOf({ keys: { ttl: { required: true, longest: 60 } } });
    const { drift } = await client.policy.diff({ policy });
    expect(drift).toMatchObject([
      { is: 'not supported', collection: 'keys', obstacle: 'Define TTL indexes for it instead.' },
    ]);
  });

  it('[P1] is changed with the permission configure only', async () => {
    const { client } = openTestEngine({ permission: 'write' });
    const policy = policyOf({});
    await expect(client.policy.apply({ policy })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(client.policy.expect({ policy })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await client.policy.diff({ policy })).toMatchObject({ driftCount: 0 });
  });

  it('exported from any store, does not differ from it nor from an empty one to which it was applied', async () => {
    await fc.assert(
      fc.asyncProperty(anyIndexPolicy, async wanted => {
        const first = openTestEngine();
        const second = openTestEngine();
        const stop = () => Promise.all([first.stop(), second.stop()]);
        onTestFinished(async () => void (await stop()));
        expect(await applied(first.client, wanted)).toMatchObject({ state: 'done' });
        await first.settle();
        const { policy } = await first.client.policy.export();
        expect(await first.client.policy.diff({ policy })).toMatchObject({ driftCount: 0 });
        expect(await first.client.policy.diff({ policy: wanted })).toMatchObject({ driftCount: 0 });
        expect(await applied(second.client, policy)).toMatchObject({ state: 'done' });
        await second.settle();
        expect(await second.client.policy.diff({ policy })).toMatchObject({ driftCount: 0 });
        expect((await second.client.policy.export()).policy).toEqual(policy);
        await stop();
      }),
      { numRuns: 6 },
    );
  });
});
