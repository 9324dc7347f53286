import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { AuditLog } from '../../../../electron/engine/access/audit-log.ts';
import { RotatedFile } from '../../../../electron/engine/files/rotated-file.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { clientOf } from '../../../support/client.ts';
import { openTestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder, temporaryStoreFile } from '../../../support/temporary.ts';

const linesOf = (store: string) =>
  readFileSync(`${store}-audit.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

it('[P1, P3] records actions on tokens, backups and connections, and refusals', async () => {
  const { client, engine, file } = openTestEngine();
  const { token } = await client.tokens.create({ name: 'ci', permission: 'read' });
  const reader = clientOf({
    engine,
    caller: { user: 'ci', permission: 'read', from: 'network', token: 'x' },
  });
  await expect(reader.client.collections.create({ name: 'x' })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await client.tokens.revoke({ name: 'ci' });
  const { id } = await client.store.backup({ file: join(temporaryFolder(), 'a\nb.sandglass') });
  await expect.poll(() => engine.jobs.get(id).state, { timeout: 15_000 }).not.toBe('running');
  await client.connections.add({ name: 'x', target: { kind: 'file', file: '/x' } }).catch(() => {});
  await client.tokens.noteRefusal({ reason: 'wrong host', address: '10.0.0.9', path: '/api/\u001b[2J' });
  await expect(
    reader.client.tokens.noteRefusal({ reason: 'made up', address: '', path: '' }),
  ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  const lines = linesOf(file);
  const at = '2026-11-21T12:00:00.000Z';
  const by = { at, by: 'ada', from: 'machine' };
  expect(lines).toMatchObject([
    { ...by, what: 'token created', token: 'ci', permission: 'read', expiresAt: null },
    {
      at,
      what: 'refused',
      by: 'ci',
      from: 'network',
      call: 'collections.create',
      needed: 'write',
      has: 'read',
    },
    { ...by, what: 'token revoked', token: 'ci' },
    { ...by, what: 'backup started', file: expect.stringContaining('a\nb.sandglass') },
    { ...by, what: 'backup done', file: expect.stringContaining('a\nb.sandglass') },
    { ...by, what: 'connection add', outcome: 'CONNECTION_NOT_OPEN', file: '/x' },
    { at, what: 'refused', reason: 'wrong host', address: '10.0.0.9' },
    { what: 'refused', by: 'ci', call: 'tokens.noteRefusal' },
  ]);
  expect(readFileSync(`${file}-audit.jsonl`, 'utf8')).not.toContain(token);
  if (process.platform !== 'win32') expect(statSync(`${file}-audit.jsonl`).mode & 0o777).toBe(0o600);
});

it('is bounded in size and in refusals per minute', () => {
  const store = temporaryStoreFile();
  const clock = createManualClock(0);
  const complaints: string[] = [];
  const log = createLogger('error', clock.now, line => complaints.push(line));
  const audit = new AuditLog(store, clock, log);
  for (let n = 0; n < 1_000; n++) audit.refused({ by: 'x'.repeat(5_000) });
  clock.advance(60_000);
  audit.refused({ by: 'later' });
  const lines = linesOf(store);
  expect(lines).toHaveLength(62);
  expect(String(lines[0]?.by)).toHaveLength(301);
  expect(lines.slice(-2)).toMatchObject([
    { what: 'refused', more: 940 },
    { what: 'refused', by: 'later' },
  ]);

  const file = join(dirname(store), 'parts');
  const rotated = new RotatedFile({ file, partBytes: 100, parts: 3 });
  for (let n = 0; n < 50; n++) rotated.append(`${String(n).padStart(19, '0')}\n`);
  const parts = readdirSync(dirname(store))
    .filter(name => name.startsWith('parts'))
    .sort();
  expect(parts).toEqual(['parts', 'parts.1', 'parts.2']);
  const kept = ['parts.2', 'parts.1', 'parts']
    .map(name => readFileSync(join(dirname(store), name), 'utf8'))
    .join('');
  expect(kept.trimEnd().split('\n').map(Number)).toEqual(Array.from({ length: 15 }, (_, n) => 35 + n));

  const nowhere = new AuditLog(join(dirname(store), 'gone', 'x'), clock, log);
  for (let n = 0; n < 10; n++) nowhere.done({ what: 'token created' });
  expect(complaints).toHaveLength(1);
});
