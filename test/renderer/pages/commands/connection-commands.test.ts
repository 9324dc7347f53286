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

describe('what the palette has of connections', () => {
  it('leads to each but the one that is on screen, and says what it is', () => {
    const places = labels('home', false);
    expect(places).toContain('orders: connection, production');
    expect(places).toContain('old: connection, closed');
    expect(places.some(label => label.startsWith('home:'))).toBe(false);
    expect(labels('orders', false)).toContain('home: connection');
  });

  it('changes none for who may not', () => {
    expect(labels('home', false).some(label => /Edit|Close|Open|Remove|Add/.test(label))).toBe(false);
  });

  it('closes what is open, opens what is closed, and leaves home where it is', () => {
    const all = labels('home', true);
    expect(all).toContain('Close connection: orders');
    expect(all).toContain('Open connection: old');
    expect(all).toContain('Edit connection…: home');
    expect(all).not.toContain('Close connection: home');
    expect(all).not.toContain('Remove connection…: home');
    expect(all).not.toContain('Close connection: old');
  });
});
