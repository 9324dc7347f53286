import { describe, expect, it } from 'vitest';
import { connectionCommands } from '../../../../renderer/pages/commands/connection-commands.ts';
import type { ConnectionRecord } from '../../../../shared/contract/connections.ts';

const record = (id: string, change: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  id,
  name: id,
  colour: 1,
  environment: 'development',
  readOnly: false,
  target: { kind: 'file', file: `/${id}` },
  state: { is: 'open' },
  ...change,
});

const ALL = [
  record('home'),
  record('orders', { environment: 'production' }),
  record('old', { state: { is: 'closed' } }),
];
const labels = (at: string, may: boolean) =>
  connectionCommands(ALL, at, may).map(({ label, detail }) => `${label}: ${detail}`);

describe('commands of connections', () => {
  it('link to each but the current one, with its environment', () => {
    const places = labels('home', false);
    expect(places).toContain('orders: connection, production');
    expect(places).toContain('old: connection, closed');
    expect(places.some(label => label.startsWith('home:'))).toBe(false);
    expect(labels('orders', false)).toContain('home: connection');
  });

  it('change none without the permission', () => {
    expect(labels('home', false).some(label => /Edit|Close|Open|Remove|Add/.test(label))).toBe(false);
  });

  it('close open ones, open closed ones, and never close home', () => {
    const all = labels('home', true);
    expect(all).toContain('Close connection: orders');
    expect(all).toContain('Open connection: old');
    expect(all).toContain('Edit connection…: home');
    expect(all).not.toContain('Close connection: home');
    expect(all).not.toContain('Remove connection…: home');
    expect(all).not.toContain('Close connection: old');
  });
});
