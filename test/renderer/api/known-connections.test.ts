import { describe, expect, it } from 'vitest';
import { isAway, mayConnect } from '../../../renderer/api/known-connections.ts';
import { type LiveState, NOTHING_YET } from '../../../renderer/api/live-state.ts';
import { EMBEDDED_CAPABILITIES } from '../../../shared/contract/capabilities.ts';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import type { StoreInfo } from '../../../shared/contract/live.ts';

const record = (id: string, state: ConnectionRecord['state']): ConnectionRecord => ({
  id,
  name: id,
  colour: 1,
  environment: 'development',
  readOnly: false,
  target: { kind: 'file', file: `/${id}` },
  state,
});

const at = (id: string, state: ConnectionRecord['state'], line: LiveState['connection']): LiveState => ({
  ...NOTHING_YET,
  at: id,
  connection: line,
  connections: [record('home', { is: 'open' }), record('c', state)],
});

const store = (permission: StoreInfo['permission']): StoreInfo => ({
  file: '/c',
  name: 'c',
  version: '',
  bytes: 0,
  revision: 0,
  now: 0,
  user: 'ci',
  permission,
  role: 'leader',
  leader: null,
  connection: 'c',
  readOnly: false,
  namesPaths: true,
  diskFull: null,
  syncFailed: null,
  capabilities: EMBEDDED_CAPABILITIES,
  remote: null,
});

const LOST = { is: 'lost', why: 'gone', since: 0, retryAt: 0 } as const;
const CLOSED = { is: 'closed' } as const;

describe('useAway', () => {
  it('is true if the connection is closed, failed or opening and the session is not connected', () => {
    expect(isAway(at('c', CLOSED, LOST))).toBe(true);
    expect(isAway(at('c', { is: 'failed', code: 'X', message: '' }, LOST))).toBe(true);
    expect(isAway(at('c', { is: 'opening' }, { is: 'connecting' }))).toBe(true);
  });

  it('is true if the connection is not in the list, once the list is loaded', () => {
    expect(isAway(at('gone', CLOSED, LOST))).toBe(true);
    expect(isAway({ ...at('gone', CLOSED, LOST), connections: null })).toBe(false);
  });

  it('is false while the engine restarts, and while the connection sends updates', () => {
    expect(isAway(at('c', { is: 'open' }, LOST))).toBe(false);
    expect(isAway(at('c', CLOSED, { is: 'open' }))).toBe(false);
  });

  it('is false for home', () => {
    expect(isAway(at('home', CLOSED, LOST))).toBe(false);
  });
});

describe('permission to change connections', () => {
  const known = at('c', { is: 'open' }, { is: 'open' });

  it('is given with configure, and while the permission is not loaded', () => {
    expect(mayConnect({ ...known, store: null })).toBe(true);
    expect(mayConnect({ ...known, store: store('configure') })).toBe(true);
    expect(mayConnect({ ...known, store: store('write') })).toBe(false);
  });

  it('is not given with the token of another store, which cannot read the list', () => {
    const alone = { ...known, connections: known.connections?.filter(({ id }) => id === 'c') ?? null };
    expect(mayConnect({ ...alone, store: store('configure') })).toBe(false);
  });
});
