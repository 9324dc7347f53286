import { describe, expect, it } from 'vitest';
import type { ConnectionRecord } from '../../../../shared/contract/connections.ts';
import {
  compareConnections,
  connectionList,
  exportConnections,
} from '../../../../shared/contract/files/connection-list.ts';

const label = { colour: 1, environment: 'development', readOnly: false } as const;
const home: ConnectionRecord = {
  id: 'home',
  name: 'home',
  ...label,
  target: { kind: 'file', file: '/home.sandglass' },
  state: { is: 'open' },
};
const cache: ConnectionRecord = {
  id: 'c-1',
  name: 'cache',
  ...label,
  target: { kind: 'redis', uri: 'redis://cache:6379/0', secretFrom: 'SANDGLASS_SECRET_CACHE' },
  state: { is: 'failed', code: 'SECRET_REQUIRED', message: 'hunter2' },
};

describe('an exported list of connections', () => {
  it('has no home, no states and no secrets', () => {
    const secret = { ...cache, target: { ...cache.target, secret: 'hunter2' } };
    const list = exportConnections([home, secret]);
    expect(list.connections).toEqual([{ name: 'cache', ...label, target: cache.target }]);
    expect(JSON.stringify(list)).not.toContain('hunter2');
  });

  it('is compared with the connections that exist, by file or address', () => {
    const listed = (name: string, uri: string, more: object = {}) => ({
      name,
      ...label,
      target: { kind: 'redis', uri, ...more },
    });
    const list = connectionList.parse({
      version: 1,
      connections: [
        listed('cache', 'redis://CACHE', { secretFrom: 'SANDGLASS_SECRET_CACHE' }),
        listed('new', 'redis://new'),
        listed('twice', 'redis://NEW:6379/0'),
        { ...listed('renamed', 'redis://other'), environment: 'production' },
        { name: 'mine', ...label, target: home.target },
      ],
    });
    const other: ConnectionRecord = {
      ...cache,
      id: 'c-2',
      name: 'other',
      target: { kind: 'redis', uri: 'redis://other', tls: { ca: '/ca.pem' } },
    };
    expect(compareConnections(list, [home, cache, other])).toMatchObject([
      { is: 'same', listed: { name: 'cache' } },
      { is: 'new', listed: { name: 'new' } },
      {
        is: 'changed',
        listed: { name: 'renamed' },
        id: 'c-2',
        differences: ['name', 'environment', 'access'],
      },
      { is: 'same', listed: { name: 'mine' } },
    ]);
  });
});
