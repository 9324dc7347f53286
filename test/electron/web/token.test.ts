import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomToken } from '../../../electron/engine/access/random-token.ts';
import { Tickets } from '../../../electron/web/authentication/ticket.ts';
import { bearerToken, tokenInFile } from '../../../electron/web/authentication/token.ts';
import { createTokenLookup } from '../../../electron/web/authentication/token-lookup.ts';
import { NEEDS_POSIX, runsHere } from '../../support/runs-here.ts';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'sandglass-token-')), 'in', 'token');
const mode = (file: string) => statSync(file).mode & 0o777;

describe('the access token', () => {
  it('has 32 random bytes and needs no escaping', () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/);
    expect(randomToken()).not.toBe(randomToken());
  });

  it('is compared completely', async () => {
    const link = { call: () => Promise.resolve(null) };
    const enter = createTokenLookup({ launchToken: 'secret', user: 'ada', link });
    expect(await enter('secret')).toEqual({ user: 'ada', permission: 'configure', from: 'network' });
    for (const wrong of ['secre', 'secrets', 'SECRET', '', undefined]) expect(await enter(wrong)).toBeNull();
  });

  it('follows Bearer, in any case and with any number of spaces', () => {
    expect(bearerToken('Bearer abc')).toBe('abc');
    expect(bearerToken('bearer abc')).toBe('abc');
    expect([undefined, '', 'abc', 'Basic abc', 'Bearer', 'Bearer a b'].map(bearerToken)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });
});

describe.runIf(runsHere('--token-file', NEEDS_POSIX))('--token-file', () => {
  it('is created with a token, readable by its owner only, and keeps it', async () => {
    const file = fresh();
    const { token, isNew } = await tokenInFile(file);
    expect(isNew).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
    expect(mode(file)).toBe(0o600);
    expect(await tokenInFile(file)).toEqual({ token, isNew: false });
  });

  it('is made readable by its owner only', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sandglass-token-')), 'token');
    writeFileSync(file, 'chosen-by-the-user_1\n', { mode: 0o644 });
    expect(await tokenInFile(file)).toEqual({ token: 'chosen-by-the-user_1', isNew: false });
    expect(mode(file)).toBe(0o600);
  });

  it('with other content is left unchanged and named', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sandglass-token-')), 'token');
    writeFileSync(file, 'my shopping list');
    await expect(tokenInFile(file)).rejects.toThrow(`${file} contains no valid token`);
    expect(readFileSync(file, 'utf8')).toBe('my shopping list');
  });
});

describe('a ticket', () => {
  it('opens the app once, and only while it is valid', () => {
    let now = 0;
    const tickets = new Tickets(() => now);
    const [first, second] = [tickets.issue(), tickets.issue()];
    expect([tickets.use(first), tickets.use(first), tickets.use('made up')]).toEqual([true, false, false]);
    now += 60_001;
    expect(tickets.use(second)).toBe(false);
  });
});
