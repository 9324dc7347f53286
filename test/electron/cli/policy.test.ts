import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandglassHere } from '../../support/cli.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
});
afterAll(() => host.stop());

const run = (...words: string[]) => sandglassHere([...words, '--store', store]);

let counter = 0;
/** Creates a collection with 20 documents that are due an hour ago by `at`. */
async function filled(): Promise<string> {
  const name = `things${++counter}`;
  const at = Date.now() / 1000 - 3_600;
  const input = Array.from({ length: 20 }, (_, i) => `{"_id":"d${i}","at":${at}}\n`).join('');
  await sandglassHere(['import', '-', name, '--store', store], { input });
  return name;
}
function policyFile(name: string, text: string): string {
  const file = join(host.folder, name);
  writeFileSync(file, text);
  return file;
}
const indexed = (name: string, expireAfter: string) =>
  `version: 1\ncollections:\n  ${name}:\n    ttlIndexes:\n      at: { source: { kind: field, field: at, expireAfter: ${expireAfter} } }\n`;

describe('sandglass policy', () => {
  it('diff exits with 0 without a difference, 1 with one, and 2 after any error', async () => {
    const name = await filled();
    const file = join(host.folder, 'exported.yaml');
    expect(await run('policy', 'export', file)).toMatchObject({
      code: 0,
      stdout: `Exported the policy to ${file}.\n`,
    });
    expect(readFileSync(file, 'utf8')).toContain(`${name}:\n    ttlIndexes: {}`);
    expect(await run('policy', 'export', file)).toMatchObject({ code: 5 });
    expect(await run('policy', 'diff', file)).toMatchObject({ code: 0, stdout: 'No differences.\n' });
    const other = policyFile('other.yaml', indexed(name, '30d'));
    expect(await run('policy', 'diff', other)).toMatchObject({
      code: 1,
      stdout: `1 difference\n  ${name} has no TTL index at (deadline at + 30d, action delete, schedule exact).\n`,
    });
    const json = await run('policy', 'diff', other, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ driftCount: 1, drift: [{ is: 'missing index' }] });
    const broken = policyFile('broken.yaml', 'version: 1\ncollections: { a: { ttl: {} } }');
    expect(await run('policy', 'diff', broken)).toMatchObject({
      code: 2,
      stderr: 'The policy is not valid. collections.a.ttl: Give required: true, longest, or both.\n',
    });
    expect(await run('policy', 'diff', join(host.folder, 'absent.yaml'))).toMatchObject({ code: 2 });
    expect(await run('policy', 'diff', file, '--connection', 'nowhere')).toMatchObject({ code: 2 });
    expect(await run('policy', 'diff', '--no-such-option')).toMatchObject({ code: 2 });
  });

  it('apply shows the effect, and needs --yes without a terminal where many documents become due [R8]', async () => {
    const name = await filled();
    await run('settings', 'confirmDocuments=5', 'confirmShare=0.1');
    const file = policyFile('due.yaml', indexed(name, '1m'));
    const dry = await run('policy', 'apply', file, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' });
    expect(dry.stderr).toContain('Applying makes 20 documents due.');
    const refused = await run('policy', 'apply', file);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('20 of 20 documents would become due. Nothing was changed; give --yes');
    expect(await run('policy', 'diff', file)).toMatchObject({ code: 1 });
    const applied = await run('policy', 'apply', file, '--yes');
    expect(applied.code).toBe(0);
    expect(applied.stderr).toContain('1 TTL index created.');
    expect(await run('policy', 'diff')).toMatchObject({ code: 0 });
  });

  it('compares several connections, which one file names', async () => {
    const added = await run('connection', 'add', join(host.folder, 'other.sandglass'), 'other');
    expect(added).toMatchObject({ code: 0 });
    const file = join(host.folder, 'all.json');
    expect(await run('policy', 'export', file, '--all')).toMatchObject({ code: 0 });
    const exported = JSON.parse(readFileSync(file, 'utf8'));
    expect(Object.keys(exported.connections)).toContain('other');
    expect(await run('policy', 'diff', file)).toMatchObject({ code: 0 });
    exported.connections.other.collections.jobs = { ttlIndexes: {} };
    writeFileSync(file, JSON.stringify(exported));
    const found = await run('policy', 'diff', file);
    expect(found).toMatchObject({ code: 1 });
    expect(found.stdout).toContain('other: 1 difference\n  There is no collection jobs.\n');
    expect(await run('policy', 'apply', file)).toMatchObject({ code: 0 });
    const listed = await run('collections', '--connection', 'other', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'jobs' }]);
    expect(await run('policy', 'diff', file, '--connection', 'other')).toMatchObject({ code: 2 });
    const remote = ['--url', host.link, '--connection', 'other', '--token', host.token];
    expect(await sandglassHere(['collections', '--json', ...remote])).toMatchObject({ code: 0 });
  });
});
