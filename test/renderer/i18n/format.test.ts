import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '../../../renderer/i18n/language.ts';

const NOW = Date.UTC(2026, 10, 22, 14, 32, 38);
const HOUR = 3_600_000;

/** Loads the formats as a window in this language does. */
async function formatsIn(language: Language) {
  localStorage.setItem('sandglass.language', language);
  return await import('../../../renderer/i18n/format.ts');
}

beforeEach(() => vi.resetModules());
afterEach(() => localStorage.removeItem('sandglass.language'));

describe('the formats of the window', () => {
  it('in English are those of the command line', async () => {
    const english = await formatsIn('en');
    expect(english.formatCount(1_204_318)).toBe('1,204,318');
    expect(english.formatDuration(12 * HOUR + 60_000)).toBe('12 h 1 m');
    expect(english.formatRelative(NOW - 6_000, NOW)).toBe('6 s ago');
    expect(english.formatInstantInFull(NOW, 'utc')).toBe('Sun 22 Nov 2026 14:32:38 UTC');
    expect(english.formatLongDuration(90 * 86_400 + 60)).toBe('90 days 1 minute');
    expect(english.formatBytes(3_100_000_000)).toBe('3.10 GB');
  });

  it('in German have its separators, units, dates and sentences', async () => {
    const german = await formatsIn('de');
    expect(german.formatCount(1_204_318)).toBe('1.204.318');
    expect(german.formatCount(-8_412)).toBe('−8.412');
    expect(german.formatBytes(3_100_000_000)).toBe('3,10 GB');
    expect(german.formatCompact(2_310_000)).toBe('2,3 M');
    expect(german.formatDuration(1_600)).toBe('1,6 s');
    expect(german.formatRelative(NOW - 6_000, NOW)).toBe('vor 6 s');
    expect(german.formatRelative(NOW + 3.2 * HOUR, NOW)).toBe('in 3 h 12 min');
    expect(german.formatInstantInFull(NOW, 'utc')).toBe('So., 22. Nov. 2026 14:32:38 UTC');
    expect(german.formatLongDuration(90 * 86_400 + 60)).toBe('90 Tage 1 Minute');
  });

  it('in Chinese have its units, dates and sentences', async () => {
    const chinese = await formatsIn('zh-Hans');
    expect(chinese.formatCount(1_204_318)).toBe('1,204,318');
    expect(chinese.formatDuration(12 * HOUR + 60_000)).toBe('12小时1分钟');
    expect(chinese.formatRelative(NOW - 6_000, NOW)).toBe('6秒前');
    expect(chinese.formatDate(NOW, 'utc')).toBe('11月22日');
    expect(chinese.formatInstant(NOW, NOW, 'utc')).toBe('14:32:38');
  });
});
