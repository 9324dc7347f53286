import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../electron/engine/access/caller.ts';
import { router } from '../../../../electron/engine/api/router.ts';
import { EMBEDDED_CAPABILITIES, missingBecause } from '../../../../shared/contract/capabilities.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { policyDocument } from '../../../../shared/contract/policy.ts';
import { PROCEDURES } from '../../../../shared/contract/procedure-facts.ts';
import { clientOf, clientOn } from '../../../support/client.ts';
import { MINUTE, openTestEngine } from '../../../support/engine.ts';
import { startTestThread } from '../../../support/thread.ts';

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

/** Every procedure of the contract: its path, the permission that it requires, and the code of a call with an invalid argument. */
const procedures = [...PROCEDURES].map(([name, { permission, feature }]) => ({
  path: name.split('.'),
  permission,
  code:
    feature !== null && missingBecause(EMBEDDED_CAPABILITIES, feature) !== null
      ? 'NOT_SUPPORTED'
      : 'BAD_REQUEST',
}));
/** Permissions of a caller that satisfy each required permission [P1]. */
const ADMITTED = {
  read: ['read', 'write', 'configure'],
  write: ['write', 'configure'],
  configure: ['configure'],
  follow: ['follow', 'configure'],
};

/** Calls a procedure with an invalid argument: a caller without permission is refused before the argument is read. */
async function codeOf(client: Client, path: readonly string[]): Promise<string> {
  const call = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], client) as (
    input: unknown,
  ) => Promise<unknown>;
  try {
    await call(42);
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

const policy = policyDocument.parse({
  version: 1,
  collections: {
    things: {
      ttlIndexes: { by_policy: { source: { kind: 'field', field: 'at', expireAfter: 60 } } },
    },
  },
});

/** Calls with valid arguments, each of which changes a store with the collection `things` and its document `a`. */
const CHANGES: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'policy.expect': client => client.policy.expect({ policy }),
  'policy.apply': client => client.policy.apply({ policy }),
  'documents.put': client =>
    client.documents.put({ params: { collection: 'things', id: 'b' }, body: { n: 2 } }),
  'documents.setExpiration': client =>
    client.documents.setExpiration({ params: { collection: 'things', id: 'a' }, body: { after: 3_600 } }),
  'documents.delete': client => client.documents.delete({ collection: 'things', id: 'a' }),
  'ttlIndexes.create': client =>
    client.ttlIndexes.create({
      collection: 'things',
      name: 'own',
      source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 60 },
    }),
  'reaper.pause': client => client.reaper.pause({}),
  'reaper.resume': client => client.reaper.resume({}),
  'tokens.create': client => client.tokens.create({ name: 'own', permission: 'configure' }),
  'collections.create': client => client.collections.create({ name: 'more' }),
  'collections.drop': client => client.collections.drop({ collection: 'more' }),
};

/** Resolves with the code of a refused call. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('[P1] permissions in the engine', () => {
  it('[P1] every procedure of the contract declares its permission, and has a handler', () => {
    expect(procedures.length).toBeGreaterThan(50);
    for (const { path } of procedures) {
      const answer = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], router);
      expect(answer, path.join('.')).toBeDefined();
    }
  });

  it.each(['read', 'write', 'configure', 'follow'] as const)(
    '[P1] a caller with %s is refused exactly the calls that need more',
    async has => {
      const { client } = openTestEngine({ permission: has });
      for (const { path, permission, code } of procedures) {
        const isAdmitted = ADMITTED[permission].includes(has);
        expect([path.join('.'), await codeOf(client, path)]).toEqual([
          path.join('.'),
          isAdmitted ? code : 'PERMISSION_DENIED',
        ]);
      }
    },
  );

  it('[P1] a refusal names the caller’s permission and the needed one', async () => {
    const { client } = openTestEngine({ permission: 'read', user: 'dashboard' });
    await expect(client.collections.create({ name: 'x' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      status: 403,
      message: expect.stringMatching(
        /collections\.create needs the permission write, and dashboard has read/,
      ),
      data: { needed: 'write', has: 'read', user: 'dashboard' },
    });
  });

  it('[P1] a caller with read changes nothing, also with arguments that would change something', async () => {
    const { client, engine } = openTestEngine();
    await client.collections.create({ name: 'things' });
    await client.documents.put({ params: { collection: 'things', id: 'a' }, body: { n: 1 } });
    const reader = clientOf({ engine, caller: { user: 'reader', permission: 'read', from: 'network' } });
    const { revision } = engine.backend;
    for (const [name, change] of Object.entries(CHANGES))
      expect([name, await outcomeOf(change(reader.client))]).toEqual([name, 'PERMISSION_DENIED']);
    expect(engine.backend.revision).toBe(revision);
    expect(engine.expectedPolicy.current).toBeNull();
    expect(await client.reaper.get()).toMatchObject({ paused: null });
    expect(await client.tokens.list()).toEqual([]);
    expect((await reader.client.collections.list()).map(({ name }) => name)).toEqual(['things']);
    // The same arguments are valid: without the check each call changes something.
    for (const [name, change] of Object.entries(CHANGES))
      expect([name, await outcomeOf(change(client))]).toEqual([name, 'ok']);
    expect(engine.backend.revision).toBeGreaterThan(revision);
    reader.close();
  });

  it('[P1] cancelling needs the permission of starting: write does not end a purge, backup, restore or build', async () => {
    const { engine } = openTestEngine();
    const { client, close } = clientOf({
      engine,
      caller: { user: 'nightly', permission: 'write', from: 'network' },
    });
    const begin = (kind: Job['kind']) =>
      engine.jobs.start({ kind, collection: 'c', subject: 'c', unit: 'documents', total: null });
    for (const kind of ['index build', 'recount', 'restore', 'purge', 'backup'] as const) {
      const { id: job, signal } = begin(kind);
      await expect(client.jobs.cancel({ job })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        data: { needed: 'configure', has: 'write', user: 'nightly' },
      });
      expect(signal.aborted, kind).toBe(false);
    }
    for (const kind of ['import', 'sample data', 'set expiration', 'clear expiration', 'delete'] as const) {
      const { id: job, signal } = begin(kind);
      await client.jobs.cancel({ job });
      expect(signal.aborted, kind).toBe(true);
    }
    close();
  });

  it('[P1] store.info returns the caller’s name and permission', async () => {
    const { engine } = openTestEngine();
    const { client, close } = clientOf({
      engine,
      caller: { user: 'nightly', permission: 'write', from: 'network' },
    });
    expect(await client.store.info()).toMatchObject({ user: 'nightly', permission: 'write' });
    close();
  });

  it('[P1] history names the caller', async () => {
    const { engine } = openTestEngine();
    const { client, close } = clientOf({
      engine,
      caller: { user: 'ops', permission: 'configure', from: 'network' },
    });
    expect((await client.reaper.pause({})).paused).toMatchObject({ by: 'ops' });
    close();
  });
});

describe('[P1] tokens', () => {
  it('[P1] a token is shown once; the file beside the store contains only its hash', async () => {
    const { client, file, stop } = openTestEngine();
    const made = await client.tokens.create({ name: 'ci', permission: 'write' });
    expect(made).toMatchObject({ name: 'ci', permission: 'write', createdBy: 'ada', lastUsedAt: null });
    expect(made.token).toMatch(/^[\w-]{43}$/);
    const { token, ...record } = made;
    expect(await client.tokens.get({ name: 'ci' })).toEqual(record);
    expect(await client.tokens.list()).toEqual([record]);
    await stop();
    for (const path of [file, `${file}-tokens`]) expect(readFileSync(path).includes(token)).toBe(false);
    expect(readFileSync(file).includes(sha256(token))).toBe(false);
    expect(readFileSync(`${file}-tokens`).includes(sha256(token))).toBe(true);
  });

  it('[P1] names are unique and checked; an unknown one is an error', async () => {
    const { client } = openTestEngine();
    await client.tokens.create({ name: 'ci', permission: 'read' });
    await expect(client.tokens.create({ name: 'ci', permission: 'write' })).rejects.toMatchObject({
      code: 'TOKEN_EXISTS',
    });
    await expect(client.tokens.create({ name: 'a/b', permission: 'read' })).rejects.toMatchObject({
      code: 'INVALID_NAME',
    });
    await expect(client.tokens.revoke({ name: 'nobody' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(client.tokens.get({ name: 'nobody' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });

  it('[P1] a token is found by its hash until it is revoked, also after a restart', async () => {
    const first = openTestEngine();
    const { token } = await first.client.tokens.create({ name: 'ci', permission: 'write' });
    const second = await first.reopen();
    expect(await second.client.tokens.whose({ sha256: sha256(token) })).toEqual({
      name: 'ci',
      permission: 'write',
    });
    expect(await second.client.tokens.whose({ sha256: sha256('another') })).toBeNull();
    await second.client.tokens.revoke({ name: 'ci' });
    expect(await second.client.tokens.whose({ sha256: sha256(token) })).toBeNull();
    const third = await second.reopen();
    expect(await third.client.tokens.whose({ sha256: sha256(token) })).toBeNull();
    // The name is free again, for another token.
    const again = await third.client.tokens.create({ name: 'ci', permission: 'read' });
    expect(again.token).not.toBe(token);
    expect(await third.client.tokens.whose({ sha256: sha256(token) })).toBeNull();
  });

  it('[P1] a token is refused from its end on, and its open connections are closed', async () => {
    const { client, clock, engine } = openTestEngine();
    const expiresAt = clock.now() + MINUTE;
    const { token } = await client.tokens.create({ name: 'ci', permission: 'read', expiresAt });
    expect(await client.tokens.get({ name: 'ci' })).toMatchObject({ expiresAt });
    const ended: string[] = [];
    engine.backend.tokens.onRevoke(hash => ended.push(hash));
    clock.advance(MINUTE - 1);
    expect(await client.tokens.whose({ sha256: sha256(token) })).toMatchObject({ name: 'ci' });
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(await client.tokens.whose({ sha256: sha256(token) })).toBeNull();
    expect(ended).toEqual([sha256(token)]);
    await expect(
      client.tokens.create({ name: 'late', permission: 'read', expiresAt: clock.now() }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('[P1] its last use is recorded to the minute', async () => {
    const { client, clock } = openTestEngine();
    const { token } = await client.tokens.create({ name: 'ci', permission: 'read' });
    const lastUse = async () => {
      await client.tokens.whose({ sha256: sha256(token) });
      return (await client.tokens.get({ name: 'ci' })).lastUsedAt;
    };
    const firstUse = clock.now();
    expect(await lastUse()).toBe(firstUse);
    clock.advance(MINUTE / 2);
    expect(await lastUse()).toBe(firstUse);
    clock.advance(MINUTE);
    expect(await lastUse()).toBe(clock.now());
  });

  it('[P1] a revoked token’s open ports close, others stay, and none opens meanwhile', async () => {
    const { host, client } = await startTestThread();
    const open = async (
      name: string,
    ): Promise<{ caller: Caller; client: Client; closed: Promise<unknown> }> => {
      const { token, permission } = await client.tokens.create({ name, permission: 'read' });
      const caller: Caller = { user: name, permission, token: sha256(token), from: 'network' };
      const { port1, port2 } = new MessageChannel();
      host.attach(port2, caller);
      return { caller, client: clientOn(port1), closed: once(port1, 'close') };
    };
    const kept = await open('kept');
    const revoked = await open('revoked');
    expect(await revoked.client.store.info()).toMatchObject({ user: 'revoked', permission: 'read' });
    const updates = await revoked.client.live.watch();
    await updates.next();

    await client.tokens.revoke({ name: 'revoked' });
    await revoked.closed;
    await expect(
      (async () => {
        for await (const _ of updates);
        throw new Error('its streams end');
      })(),
    ).rejects.toThrow();
    expect(await kept.client.store.info()).toMatchObject({ user: 'kept' });

    const { port1, port2 } = new MessageChannel();
    const refused = once(port1, 'close');
    host.attach(port2, revoked.caller);
    port1.start();
    await refused;
  });
});
