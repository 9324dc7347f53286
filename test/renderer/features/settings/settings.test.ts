import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../renderer/api/permission.ts';
import {
  formatFirstCopy,
  formatFollower,
} from '../../../../renderer/features/frame/banners/format-follower.ts';
import { suggestedBackup } from '../../../../renderer/features/settings/backup-path.ts';
import { SETTING_GROUPS } from '../../../../renderer/features/settings/setting-fields.ts';
import {
  formatSetting,
  formatSettingInSentence,
  readSetting,
  settingEcho,
} from '../../../../renderer/features/settings/setting-text.ts';
import { EMBEDDED_CAPABILITIES } from '../../../../shared/contract/capabilities.ts';
import { DEFAULT_SETTINGS, SETTINGS } from '../../../../shared/contract/settings.ts';

const FIELDS = Object.values(SETTING_GROUPS).flatMap(groups => groups.flatMap(({ fields }) => fields));

test('every setting has exactly one field', () => {
  expect(FIELDS.map(({ name }) => name).sort()).toEqual(Object.keys(SETTINGS).sort());
});

describe('the note beside a setting', () => {
  const nameless = { zero: 'no limit', unit: 'documents' };
  test.each([
    [500, 'count', nameless, 'documents'],
    [0, 'count', nameless, 'no limit'],
    [90_000, 'seconds', {}, '1 day 1 hour'],
    [7, 'days', {}, '1 week'],
    [1024 ** 3, 'bytes', {}, '1.07 GB'],
    [8, 'ms', {}, ''],
  ] as const)('%d as %s is followed by its meaning or its unit', (value, kind, echoed, words) => {
    expect(settingEcho(value, kind, echoed)).toBe(words);
  });
});

describe('a setting as text', () => {
  test.each(FIELDS)('$name: the default is formatted and parsed without loss', ({ name, kind }) => {
    expect(readSetting(name, kind, formatSetting(DEFAULT_SETTINGS[name], kind))).toEqual({
      value: DEFAULT_SETTINGS[name],
    });
  });

  test('property: sizes and counts are formatted exactly', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), value => {
        expect(readSetting('retentionBytes', 'bytes', formatSetting(value, 'bytes'))).toEqual({ value });
        expect(readSetting('mostPerPass', 'count', formatSetting(value, 'count'))).toEqual({ value });
      }),
      { numRuns: 2_000 },
    );
  });

  test('a size is formatted in the largest exact unit', () => {
    const written = [1024 ** 3, 1.5e9, 268_435_456, 1_000, 1_001_001, 512].map(value =>
      formatSetting(value, 'bytes'),
    );
    expect(written).toEqual(['1 GiB', '1.5 GB', '256 MiB', '1 kB', '1001001 B', '512 B']);
  });

  test('property: shares keep a thousandth', () => {
    fc.assert(
      fc.property(fc.nat(1_000), thousandths => {
        const value = thousandths / 1_000;
        const read = readSetting('breakerShare', 'share', formatSetting(value, 'share'));
        expect('value' in read && read.value).toBeCloseTo(value, 12);
      }),
    );
  });

  test('is parsed in the usual notations', () => {
    expect(readSetting('retentionBytes', 'bytes', '1.5 gb')).toEqual({ value: 1.5e9 });
    expect(readSetting('retentionBytes', 'bytes', '2GiB')).toEqual({ value: 2 * 1024 ** 3 });
    expect(readSetting('mostPerPass', 'count', '10000')).toEqual({ value: 10_000 });
    expect(readSetting('breakerShare', 'share', '25')).toEqual({ value: 0.25 });
    expect(readSetting('retention', 'seconds', '2d')).toEqual({ value: 172_800 });
    expect(readSetting('batchMs', 'ms', '4')).toEqual({ value: 4 });
  });

  test('invalid text is reported with the format, a value out of bounds with the bounds', () => {
    expect(readSetting('batchMs', 'ms', 'soon')).toEqual({ problem: 'Type milliseconds, such as 8 ms.' });
    expect(readSetting('batchMs', 'ms', '0.1')).toEqual({ problem: 'From 0.5 ms to 1000 ms.' });
    expect(readSetting('breakerShare', 'share', '120 %')).toEqual({ problem: 'From 0 % to 100 %.' });
    expect(readSetting('logBytes', 'bytes', '1 kB')).toEqual({ problem: 'A whole number, 1 MiB or more.' });
    expect(readSetting('logSeconds', 'seconds', '5s')).toEqual({ problem: 'From 1m to 1y.' });
    expect(readSetting('retentionBytes', 'bytes', '3 bottles')).toHaveProperty('problem');
    expect(readSetting('mostPerPass', 'count', '')).toHaveProperty('problem');
  });

  test('a special 0 is formatted as its meaning', () => {
    expect(formatSettingInSentence(0, 'count', 'no limit')).toBe('no limit');
    expect(formatSettingInSentence(86_400, 'seconds')).toBe('1 day');
  });
});

describe('the reason of a missing permission', () => {
  const store = { name: 'orders', user: 'ci', readOnly: false, capabilities: EMBEDDED_CAPABILITIES } as const;
  const leader = { ...store, permission: 'write', role: 'leader', leader: null } as const;

  test('[P1] a permission includes those before it', () => {
    expect(refusalOf(leader, 'documents.list')).toBeNull();
    expect(refusalOf(leader, 'documents.put')).toBeNull();
    expect(refusalOf(leader, 'settings.update')).toBe('This needs the permission configure; ci has write.');
  });

  test('[V5] a follower accepts no change with any permission', () => {
    const mirror = {
      ...store,
      permission: 'configure',
      role: 'follower',
      leader: { url: 'http://a', staleSince: null, behind: 0, problem: null, failedReplay: null },
    } as const;
    expect(refusalOf(mirror, 'documents.list')).toBeNull();
    expect(refusalOf(mirror, 'documents.put')).toContain('follower of http://a');
  });

  test('[P2] a read-only connection accepts no change with any permission', () => {
    const readOnly = { ...leader, permission: 'configure', readOnly: true } as const;
    expect(refusalOf(readOnly, 'documents.list')).toBeNull();
    expect(refusalOf(readOnly, 'documents.put')).toContain(
      'This connection is read-only: Sandglass neither writes to orders',
    );
  });
});

test('[V5] a follower names its leader, its lag, and the time of the leader’s last answer', () => {
  const leader = { url: 'http://a', behind: 0, staleSince: null, problem: null, failedReplay: null };
  expect(formatFollower(leader, null)).toMatchObject({
    title: 'Read-only follower of http://a.',
    behind: 'Up to date',
  });
  expect(formatFollower({ ...leader, behind: 1_200, staleSince: 1 }, '14:32:38')).toMatchObject({
    title: 'No update from http://a since 14:32:38.',
    behind: '1,200 revisions behind',
  });
  const failedReplay = { at: 5, reason: 'Revision 8 could not be applied: no row' };
  const problem = `${failedReplay.reason}. The store is copied again.`;
  expect(
    formatFollower({ ...leader, staleSince: 1, problem, failedReplay }, '14:32:38', '14:32:38'),
  ).toMatchObject({
    title: 'Not up to date with http://a since 14:32:38.',
    todo: `${problem} This follower shows its last state and refuses reads until it is up to date. It retries automatically.`,
  });
  expect(formatFollower({ ...leader, failedReplay }, null, '14:32:38').todo).toContain(
    'Copied again at 14:32:38: Revision 8 could not be applied: no row.',
  );
  expect(formatFirstCopy({ ...leader, behind: 1, staleSince: 0 })).toMatchObject({
    title: 'Waiting for the store at http://a.',
    behind: '1 revision behind',
  });
});

test('the suggested backup is beside the store, named by the minute', () => {
  expect(suggestedBackup('/data/app.sandglass', Date.UTC(2026, 10, 1, 4, 5))).toBe(
    '/data/app-2026-11-01-0405.sandglass',
  );
});
