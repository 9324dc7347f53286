import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../electron/cli/commands.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { helpOf, overview } from '../../../electron/cli/syntax/help.ts';
import { parseWords } from '../../../electron/cli/syntax/parsed-arguments.ts';
import { actionOf, limitChangesOf, scheduleOf, sourceOf } from '../../../electron/cli/syntax/ttl-options.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { sandglass, sandglassHere } from '../../support/cli.ts';

const command = (name: string) => {
  const found = COMMANDS.find(one => one.name === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
};
const create = (...words: string[]) => parseWords(command('ttl create'), ['things', ...words]);

describe('the help', () => {
  it('names every command, and of each what it takes', () => {
    for (const one of COMMANDS) {
      expect(overview()).toContain(one.name);
      expect(overview()).toContain(one.summary);
      const help = helpOf(one);
      for (const name of Object.keys(one.options)) expect(help).toContain(`--${name}`);
      for (const { name } of one.arguments) expect(help).toContain(name);
      if (one.store !== 'none') expect(help).toContain('--url URL');
    }
  });

  it('is told by help, --help and nothing at all', async () => {
    const [asked, flagged, bare, one, family, short, ofOne] = await Promise.all([
      sandglassHere(['help']),
      sandglassHere(['--help']),
      sandglassHere([]),
      sandglassHere(['ttl', 'create', '--help']),
      sandglassHere(['help', 'token']),
      sandglassHere(['-h']),
      sandglassHere(['ttl', 'create', '-h']),
    ]);
    expect([short, ofOne]).toEqual([asked, one]);
    expect(asked).toEqual({ code: 0, stdout: overview(), stderr: '' });
    expect(flagged).toEqual(asked);
    expect(bare).toEqual({ ...asked, code: 2 });
    expect(one.stdout).toBe(helpOf(command('ttl create')));
    for (const name of ['token create', 'token list', 'token revoke']) expect(family.stdout).toContain(name);
  });
});

describe('words that make no command', () => {
  it.each([
    [['nope'], 'There is no command “nope”. `sandglass help` shows'],
    [['ttl'], '`sandglass ttl` goes on with create, list, set, drop, preview, explain, history, revert.'],
    [['export'], 'COLLECTION is missing. `sandglass help export` shows'],
    [['collections', 'extra'], '“extra” is one word too many.'],
    [['collections', '--colour'], "Unknown option '--colour'. `sandglass help collections` shows"],
    [['import', '-', 'y', '--mode', 'append'], '--mode is insert, upsert; “append” is not.'],
    [['ttl', 'create', 'c', '--field', 'at'], '--field needs either --expire-after DURATION or'],
    [['ttl', 'create', 'c', '--field', 'at', '--expire-after', '30 moons'], '“moons” is not a unit of time'],
    [['reaper', 'pause', 'a/b/c'], '“a/b/c” is not COLLECTION or COLLECTION/INDEX.'],
    [['restore'], 'Name either IDS or --collection COLLECTION.'],
    [['token', 'create', 'ci'], '--permission is missing.'],
    [['collections', '--url', 'server:80', '--token', 'x'], '--url is an address like http://server:7263/'],
    [['collections', '--url', 'http://server'], 'give --token, or set SANDGLASS_TOKEN.'],
    [['collections', '--url', 'http://server', '--store', 'x'], 'name two different stores'],
  ])('%j end with 2 and say what there is', async (words, message) => {
    const { code, stdout, stderr } = await sandglassHere(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('are told as JSON where JSON was asked for', async () => {
    const { code, stderr } = await sandglass(['nope', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ code: 'WRONG_USAGE', message: expect.any(String), data: {} });
  });
});

it('--version is the manifest’s', async () => {
  expect(await sandglass(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

describe('a definition in words', () => {
  it.each([
    [
      ['--field', 'at', '--expire-after', '30d'],
      { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 2_592_000 },
    ],
    [
      ['--field', 'at', '--unit', 'milliseconds', '--expire-after', '3600'],
      { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 3600 },
    ],
    [
      ['--field', 'at', '--expire-after', '0'],
      { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
    ],
    [
      ['--field', 'at', '--expire-after-field', 'ttl'],
      { kind: 'field', field: 'at', unit: 'seconds', expireAfterField: 'ttl' },
    ],
    [['--last-modified', '--expire-after', '1h 30m'], { kind: 'lastModified', expireAfter: 5400 }],
    [['--expression', 'timestamp(doc.at)'], { kind: 'expression', expression: 'timestamp(doc.at)' }],
  ])('[D1, D2, D7, D8] %j', (words, source) => {
    expect(sourceOf(create(...words))).toEqual(source);
  });

  it.each([
    [[], /One of --field/],
    [['--field', 'at', '--last-modified', '--expire-after', '1h'], /One of --field/],
    [['--last-modified'], /needs --expire-after/],
    [['--expression', 'doc.at', '--expire-after', '1h'], /gives the deadline itself/],
    [['--field', 'at', '--unit', 'minutes', '--expire-after', '1h'], /--unit is seconds, milliseconds/],
  ])('%j is none', (words, message) => {
    expect(() => sourceOf(create(...words))).toThrow(message);
  });

  it.each([
    ['delete', { action: 'delete' }],
    ['move:archive', { action: 'move', to: 'archive' }],
    [
      'patch:{"a":{"b":null},"big":12345678901234567890}',
      { action: 'patch', patch: { a: { b: null }, big: 12345678901234567890n } },
    ],
    [
      'replace:doc.n > 1 ? null : merge(doc, {"n": 1})',
      { action: 'replace', expression: 'doc.n > 1 ? null : merge(doc, {"n": 1})' },
    ],
  ])('[A1, A2, A3, A4] --action %s', (text, action) => {
    expect(actionOf(create('--action', text))).toEqual(action);
  });

  it.each(['archive', 'move', 'move:', 'patch:[1]', 'patch:{', 'delete:all'])('--action %s is none', text => {
    expect(() => actionOf(create('--action', text))).toThrow('--action');
  });

  it.each([
    [['exact'], { mode: 'exact' }],
    [['observe'], { mode: 'observe' }],
    [['every:1h 30m'], { mode: 'every', everyMs: 5_400_000 }],
    [['every:250ms'], { mode: 'every', everyMs: 250 }],
    [['cron:0 3 * * *'], { mode: 'cron', cron: '0 3 * * *', timeZone: 'UTC' }],
    [
      ['cron:0 3 * * *', '--time-zone', 'Europe/Berlin'],
      { mode: 'cron', cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
    ],
  ])('[R1] --schedule %j', (words, schedule) => {
    expect(scheduleOf(create('--schedule', ...words))).toEqual(schedule);
  });

  it.each(['every', 'every:5', 'cron:', 'sometimes'])('--schedule %s is none', text => {
    expect(() => scheduleOf(create('--schedule', text))).toThrow('--schedule');
  });

  it('[R3] limits are numbers, and `default` is the store’s', () => {
    expect(limitChangesOf(create('--rate', '500', '--batch-ms', 'default'))).toEqual({
      removalsPerSecond: 500,
      batchMs: null,
    });
    expect(() => limitChangesOf(create('--rate', 'fast'))).toThrow('--rate is a number');
  });
});

it('docs/command-line.md names every command, option and exit code', () => {
  const text = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  for (const { name, options } of COMMANDS) {
    // A family is told in one row: `reaper status`, `pause` …
    for (const word of name.split(' ')) expect(text).toContain(word);
    for (const option of Object.keys(options))
      expect([name, text.includes(`--${option}`)]).toEqual([name, true]);
  }
  for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'));
});

describe('what the system refuses', () => {
  it('names a file that is not there, in a sentence', async () => {
    const answer = await sandglassHere(['import', '/nowhere/things.ndjson', 'things']);
    expect(answer).toMatchObject({ code: 1, stderr: 'There is no file /nowhere/things.ndjson.\n' });
  });

  it('says that nobody answers at an address', async () => {
    const answer = await sandglassHere(['collections', '--url', 'http://127.0.0.1:9/', '--token', 'x']);
    expect(answer).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^Nobody answers at that address/),
    });
  });
});

describe('sandglass serve --help', () => {
  it('tells how it is used and serves nothing', async () => {
    const { code, stdout } = await sandglassHere(['serve', '--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: helpOf(command('serve')) });
  });
});
