import { onTestFinished } from 'vitest';
import { EtcdClient } from '../../electron/engine/backends/etcd/connection/etcd-client.ts';
import { parseEtcdUri } from '../../electron/engine/backends/etcd/connection/etcd-uri.ts';
import { putReply } from '../../electron/engine/backends/etcd/connection/replies.ts';
import { readKey } from '../../electron/engine/backends/etcd/keys/key-range.ts';
import { grantLease } from '../../electron/engine/backends/etcd/leases/lease-calls.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';

export const silentLog = createLogger('silent', () => 0);

/** A client of a real server, with the calls of an application that uses it. */
export interface TestEtcd {
  readonly client: EtcdClient;
  put(key: string, value: string | Buffer, lease?: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Returns the id of a lease. */
  grant(seconds: number): Promise<string>;
  /** Returns the value as text, its lease and its revision; null: there is no such key. */
  get(key: string): Promise<{ value: string; lease: string; modRevision: number } | null>;
}

/** Opens a client for the running test. */
export function openTestEtcd(uri: string): TestEtcd {
  const client = new EtcdClient({ target: parseEtcdUri(uri), clock: systemClock, log: silentLog });
  onTestFinished(() => client.close());
  const encode = (text: string | Buffer) => Buffer.from(text).toString('base64');
  return {
    client,
    async put(key, value, lease = '0') {
      await client.call('kv/put', { key: encode(key), value: encode(value), lease }, putReply);
    },
    async delete(key) {
      await client.call('kv/deleterange', { key: encode(key) }, putReply);
    },
    async grant(seconds) {
      return (await grantLease(client, systemClock, seconds)).id;
    },
    async get(key) {
      const found = await readKey(client, Buffer.from(key), { withValue: true });
      if (found === null) return null;
      const { value, lease, mod_revision } = found;
      return { value: value.toString(), lease, modRevision: mod_revision };
    },
  };
}
