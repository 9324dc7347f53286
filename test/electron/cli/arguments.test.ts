import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../electron/cli/commands.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { helpOf, overview } from '../../../electron/cli/syntax/help.ts';
import { parseArguments } from '../../../electron/cli/syntax/parsed-arguments.ts';
import { actionOf, limitChangesOf, scheduleOf, sourceOf } from '../../../electron/cli/syntax/ttl-options.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { sandglass, sandglassHere } from '../../support/cli.ts';

const command = (name: string) => {
  const found = COMMANDS.find(one => one.name === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
};
const create = (...words: string[]) => parseArguments(command('ttl create'), ['things', ...words]);

describe('the help', () => {
  it('lists every command with its arguments and options', () => {
    for (const one of COMMANDS) {
      expect(overview(COMMANDS)).toContain(one.name);
      expect(overview(COMMANDS)).toContain(one.summary);
      const help = helpOf(one);
      for (const name of Object.keys(one.options)) expect(help).toContain(`--${name}`);
      for (const { name } of one.arguments) expect(help).toContain(name);
      if (one.store !== 'none') expect(help).toContain('--url URL');
    }
  });

  it('is printed by help, --help, and without arguments', async () => {
    const [help, flagged, bare, one, family, short, ofOne] = await Promise.all([
      sandglassHere(['help']),
      sandglassHere(['--help']),
      sandglassHere([]),
      sandglassHere(['ttl', 'create', '--help']),
      sandglassHere(['help', 'token']),
      sandglassHere(['-h']),
      sandglassHere(['ttl', 'create', '-h']),
    ]);
    expect([short, ofOne]).toEqual([help, one]);
    expect(help).toEqual({ code: 0, stdout: overview(COMMANDS), stderr: '' });
    expect(flagged).toEqual(help);
    expect(bare).toEqual({ ...help, code: 2 });
    expect(one.stdout).toBe(helpOf(command('ttl create')));
    for (const name of ['token create', 'token list', 'token revoke']) expect(family.stdout).toContain(name);
  });
});

describe('invalid arguments', () => {
  it.each([
    [['nope'], 'There is no command “nope”. See `sandglass help`.'],
    [
      ['ttl'],
      '`sandglass ttl` needs one of create, list, set, drop, create-index, preview, explain, history, revert.',
    ],
    [['export'], 'COLLECTION is missing. See `sandglass help export`.'],
    [['collections', 'extra'], '“extra” is one argument too many.'],
    [['collections', '--colour'], "Unknown option '--colour'. See `sandglass help collections`."],
    [['import', '-', 'y', '--mode', 'append'], '--mode must be one of insert, upsert, not “append”.'],
    [['ttl', 'create', 'c', '--field', 'at'], '--field needs either --expire-after DURATION or'],
    [['ttl', 'create', 'c', '--field', 'at', '--expire-after', '30 moons'], '“moons” is not a unit of time'],
    [
      ['ttl', 'create', 'c', '--field', 'at', '--expire-after', '30'],
      '30 of what? Add a unit: 30s, 30m, 30h or 30d.',
    ],
    [['reaper', 'pause', 'a/b/c'], '“a/b/c” is not COLLECTION or COLLECTION/INDEX.'],
    [['restore'], 'Name either IDS or --collection COLLECTION.'],
    [['token', 'create', 'ci'], '--permission is missing.'],
    [
      ['collections', '--url', 'server:80', '--token', 'x'],
      '--url must be an address like http://server:7263/',
    ],
    [['collections', '--url', 'http://server'], 'give --token, or set SANDGLASS_TOKEN.'],
    [['collections', '--url', 'http://server', '--store', 'x'], '--store and --url exclude each other.'],
  ])('%j end with 2 and a message in one line', async (words, message) => {
    const { code, stdout, stderr } = await sandglassHere(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('are reported as JSON with --json', async () => {
    const { code, stderr } = await sandglass(['nope', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ code: 'WRONG_USAGE', message: expect.any(String), data: {} });
  });
});

it('--version prints the version of the manifest', async () => {
  expect(await sandglass(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

describe('a definition from options', () => {
  it.each([
    [
      ['--field', 'at', '--expire-after', '30d'],
      { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 2_592_000 },
    ],
    [
      ['--field', 'at', '--unit', 'milliseconds', '--expire-after', '3600s'],
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
    [[], /Give exactly one of --field/],
    [['--field', 'at', '--last-modified', '--expire-after', '1h'], /Give exactly one of --field/],
    [['--last-modified'], /needs --expire-after/],
    [['--expression', 'doc.at', '--expire-after', '1h'], /returns the deadline itself/],
    [
      ['--field', 'at', '--unit', 'minutes', '--expire-after', '1h'],
      /--unit must be one of seconds, milliseconds/,
    ],
  ])('%j is invalid', (words, message) => {
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

  it.each(['archive', 'move', 'move:', 'patch:[1]', 'patch:{', 'delete:all'])(
    '--action %s is invalid',
    text => {
      expect(() => actionOf(create('--action', text))).toThrow('--action');
    },
  );

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

  it.each(['every', 'every:5', 'cron:', 'sometimes'])('--schedule %s is invalid', text => {
    expect(() => scheduleOf(create('--schedule', text))).toThrow('--schedule');
  });

  it('[R3] has limits that are numbers, or `default` for the store’s setting', () => {
    expect(limitChangesOf(create('--rate', '500', '--batch-ms', 'default'))).toEqual({
      removalsPerSecond: 500,
      batchMs: null,
    });
    expect(() => limitChangesOf(create('--rate', 'fast'))).toThrow('--rate must be a number');
  });
});

it('docs/command-line.md names every command, option and exit code', () => {
  const text = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  for (const { name, options } of COMMANDS) {
    // Subcommands share a row: `reaper status`, `pause` …
    for (const word of name.split(' ')) expect(text).toContain(word);
    for (const option of Object.keys(options))
      expect([name, text.includes(`--${option}`)]).toEqual([name, true]);
  }
  for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'));
});

describe('system errors', () => {
  it('name a missing file', async () => {
    const answer = await sandglassHere(['import', '/nowhere/things.ndjson', 'things']);
    expect(answer).toMatchObject({ code: 1, stderr: 'There is no file /nowhere/things.ndjson.\n' });
  });

  it('name an address at which no server listens', async () => {
    const answer = await sandglassHere(['collections', '--url', 'http://127.0.0.1:9/', '--token', 'x']);
    expect(answer).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^No server listens at this address/),
    });
  });
});

describe('sandglass serve --help', () => {
  it('prints its help and starts no server', async () => {
    const { code, stdout } = await sandglassHere(['serve', '--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: helpOf(command('serve')) });
  });
});
