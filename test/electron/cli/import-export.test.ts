import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sandglass, sandglassHere, startSandglass } from '../../support/cli.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let host: ServedHost;
let store: string;
beforeAll(async () => {
  host = await startServedHost();
  store = join(host.folder, 'test.sandglass');
});
afterAll(() => host.stop());

let counter = 0;
const fresh = () => `things${++counter}`;
/** Runs a command in this process, on the host's store. */
const run = (...words: string[]) => sandglassHere([...words, '--store', store]);

describe('sandglass import', () => {
  it('imports NDJSON and JSON from a file or from standard input, and prints the counts [C1]', async () => {
    const name = fresh();
    const folder = temporaryFolder();
    const lines = join(folder, 'docs.ndjson');
    const array = join(folder, 'docs.json');
    writeFileSync(lines, '{"_id":"a","n":1.50,"big":12345678901234567890}\n\n{"_id":"b"}\n');
    writeFileSync(array, ' [\n {"_id": "c"},\n {"_id": "a", "n": 2}\n]');
    expect(await run('import', lines, name)).toEqual({
      code: 0,
      stdout: '2 inserted, 0 updated, 0 refused.\n',
      stderr: '',
    });
    expect((await run('import', array, name)).stdout).toBe('1 inserted, 1 updated, 0 refused.\n');
    const piped = await sandglassHere(['import', '-', name, '--store', store], { input: '{"_id":"d"}' });
    expect(piped.stdout).toBe('1 inserted, 0 updated, 0 refused.\n');
    const exported = await run('export', name);
    expect(exported.stdout.split('\n').map(line => line && JSON.parse(line)._id)).toEqual([
      'a',
      'b',
      'c',
      'd',
      '',
    ]);
  });

  it('imports CSV by file name or option, and the formats of mongoexport and arangoexport', async () => {
    const name = fresh();
    const folder = temporaryFolder();
    const table = join(folder, 'people.csv');
    writeFileSync(table, '_id;seats\na;3\nb;4;5\n');
    const { code, stdout } = await run('import', table, name);
    expect([code, stdout]).toEqual([
      1,
      '1 inserted, 0 updated, 1 refused.\n  line 3: It has 3 fields; the first row names 2.\n',
    ]);
    const from = async (format: string, input: string, ...more: string[]) => {
      const words = ['import', '-', name, '--format', format, ...more, '--store', store];
      return (await sandglassHere(words, { input })).stdout;
    };
    const one = '1 inserted, 0 updated, 0 refused.\n';
    expect(await from('csv', '_id|n,m\nc|1', '--delimiter', 'bar')).toBe(one);
    expect(await from('mongoexport', '{"_id":{"$oid":"507f1f77bcf86cd799439011"}}')).toBe(one);
    expect(await from('arangoexport', '{"_key":"k","_id":"x/k","_rev":"_a"}')).toBe(one);
    const exported = await run('export', name);
    expect(exported.stdout).toBe(
      '{"_id":"a","seats":3}\n{"_id":"c","n,m":1}\n{"_id":"507f1f77bcf86cd799439011"}\n{"_id":"k"}\n',
    );
    expect((await run('import', table, name, '--format', 'xml')).code).toBe(2);
  });

  it('lists the refused documents and ends with 1; the others are written', async () => {
    const name = fresh();
    const input = '{"_id":"a"}\n{oops\n[1]\n{"_id":"b"}\n';
    const { code, stdout } = await sandglassHere(['import', '-', name, '--store', store], { input });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^2 inserted, 0 updated, 2 refused\.\n {2}line 2: Not JSON: .+\n {2}line 3: .+array\.\n$/,
    );
    const again = await sandglassHere(['import', '-', name, '--mode', 'insert', '--json', '--store', store], {
      input,
    });
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toMatchObject({ inserted: 0, rejectedCount: 4, committedLines: 4 });
  });

  it('takes _id from a field, and creates no collection with --no-create', async () => {
    const name = fresh();
    const input = '{"mail":"a@b"}\n';
    const ends = await sandglassHere(['import', '-', name, '--no-create', '--store', store], { input });
    expect(ends).toMatchObject({ code: 3, stderr: expect.stringContaining(name) });
    await sandglassHere(['import', '-', name, '--id-field', 'mail', '--store', store], { input });
    expect((await run('export', name)).stdout).toBe('{"_id":"a@b","mail":"a@b"}\n');
  });

  it('of a file that is missing or not UTF-8 ends with 1 and does not change the store', async () => {
    const name = fresh();
    const file = join(temporaryFolder(), 'latin1.ndjson');
    expect(await run('import', file, name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file'),
    });
    writeFileSync(file, Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]));
    expect(await run('import', file, name)).toMatchObject({ code: 1, stderr: `${file} is not UTF-8.\n` });
    expect(JSON.parse((await run('collections', '--json')).stdout)).not.toContainEqual(
      expect.objectContaining({ name }),
    );
  });

  it('stops at Ctrl-C with 130 and the last durable line, also if a launcher forwards the signal again', async () => {
    const name = fresh();
    const file = join(temporaryFolder(), 'many.ndjson');
    writeFileSync(
      file,
      Array.from({ length: 100_000 }, (_, i) => `{"_id":"d${i}","text":"${'x'.repeat(100)}"}\n`).join(''),
    );
    const importing = startSandglass(['import', file, name, '--store', store]);
    onTestFinished(() => void importing.process.kill('SIGKILL'));
    const documents = async () => {
      const { stdout } = await run('collections', '--json');
      const found = (JSON.parse(stdout) as { name: string; documents: number }[]).find(
        one => one.name === name,
      );
      return found?.documents ?? 0;
    };
    while ((await documents()) === 0);
    importing.process.kill('SIGINT');
    // Two signals at the same moment would be delivered as one.
    setTimeout(() => importing.process.kill('SIGINT'), 5);
    const { code, stderr } = await importing.ended;
    expect(code).toBe(130);
    const lines = Number(/Every line up to ([0-9,]+) is/.exec(stderr)?.[1]?.replaceAll(',', ''));
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThan(100_000);
    expect(await documents()).toBe(lines);
  });
});

describe('sandglass export', () => {
  it('writes the file when it is complete, and prints the count', async () => {
    const name = fresh();
    const input = Array.from({ length: 2_500 }, (_, i) => `{"_id":"d${i}"}\n`).join('');
    await sandglassHere(['import', '-', name, '--store', store], { input });
    const file = join(temporaryFolder(), 'out.ndjson');
    const answer = await run('export', name, file);
    expect(answer).toMatchObject({ code: 0, stdout: `Exported 2,500 documents of ${name} to ${file}.\n` });
    expect(readFileSync(file, 'utf8')).toBe(input);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(await run('export', name, file)).toMatchObject({
      code: 5,
      stderr: `There is a file ${file} already. Give --force to overwrite it, or choose another name.\n`,
    });
    expect((await run('export', name)).stderr).not.toContain('left out');
    expect(JSON.parse((await run('export', name, file, '--force', '--json')).stdout)).toEqual({
      collection: name,
      file,
      documents: 2_500,
    });
  });

  it('of a missing collection ends with 3 and leaves no file', async () => {
    const file = join(temporaryFolder(), 'out.ndjson');
    expect(await run('export', 'nowhere', file)).toMatchObject({ code: 3, stdout: '' });
    expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  });

  it('keeps deadlines for an import that applies the remaining time [E1]', async () => {
    const [from, to] = [fresh(), fresh()];
    const now = Date.now();
    const line = (left: number) => ({
      _id: 'a',
      $expiration: {
        deadlineAt: now + left,
        deadlineFrom: 'explicit',
        exportedAt: now,
        explicit: { at: now + left },
      },
    });
    await sandglassHere(['import', '-', from, '--store', store], { input: JSON.stringify(line(3_600_000)) });
    const { stdout } = await run('export', from, '--deadlines');
    expect(JSON.parse(stdout)).toMatchObject({
      _id: 'a',
      $expiration: { explicit: { at: now + 3_600_000 } },
    });
    // Imported a day after the export.
    const old = stdout.replaceAll(/[0-9]{13}/g, digits => String(Number(digits) - 86_400_000));
    await sandglassHere(['import', '-', to, '--deadlines', 'remaining', '--store', store], { input: old });
    const { $expiration } = JSON.parse((await run('export', to, '--deadlines')).stdout);
    const left = $expiration.deadlineAt - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
  });

  it('ends without an error when its reader closes the pipe', async () => {
    const name = fresh();
    const input = Array.from(
      { length: 5_000 },
      (_, i) => `{"_id":"d${i}","text":"${'x'.repeat(200)}"}\n`,
    ).join('');
    await sandglass(['import', '-', name, '--store', store], { input });
    const exporting = startSandglass(['export', name, '--store', store]);
    exporting.process.stdout?.once('data', () => exporting.process.stdout?.destroy());
    expect(await exporting.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('Ctrl-C while an index is created', () => {
  it('aborts the preview or cancels the build, and ends with 130 [X3]', async () => {
    const name = fresh();
    const input = Array.from(
      { length: 60_000 },
      (_, i) => `{"_id":"d${i}","at":${4_000_000_000 + i}}\n`,
    ).join('');
    await sandglassHere(['import', '-', name, '--store', store], { input });
    const making = startSandglass([
      'ttl',
      'create',
      name,
      '--field',
      'at',
      '--expire-after',
      '1d',
      '--store',
      store,
    ]);
    onTestFinished(() => void making.process.kill('SIGKILL'));
    await making.prints('due at once');
    making.process.kill('SIGINT');
    const { code, stdout } = await making.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const jobs = JSON.parse((await fetchFrom(host, 'GET', '/api/jobs')).text) as {
      kind: string;
      state: string;
    }[];
    expect(jobs.filter(job => job.kind === 'index build').map(job => job.state)).not.toContain('running');
  });
});
