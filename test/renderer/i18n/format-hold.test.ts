import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '../../../renderer/i18n/language.ts';
import { formatHold, HOLD_CAUSES, type HoldFacts } from '../../../shared/model/hold.ts';

const FACTS = { index: 'ts_90d', due: 8_412, documents: 90_000, durationMs: 8 * 86_400_000 };

async function inWindow(language: Language, hold: HoldFacts): Promise<string> {
  localStorage.setItem('sandglass.language', language);
  const window = await import('../../../renderer/i18n/format-hold.ts');
  return window.formatHold(hold);
}

beforeEach(() => vi.resetModules());
afterEach(() => localStorage.removeItem('sandglass.language'));

describe('the sentence of a hold', () => {
  it.each(HOLD_CAUSES)('in English equals that of the engine [R8, R9, R10]: %s', async cause => {
    for (const other of [{}, { due: 1, documents: 1, durationMs: null, index: null }]) {
      const hold = { ...FACTS, ...other, cause };
      expect(await inWindow('en', hold)).toBe(formatHold(hold));
    }
  });

  it('in German has German numbers and durations', async () => {
    expect(await inWindow('de', { ...FACTS, cause: 'long closed' })).toBe(
      'Der Store war 8 Tage geschlossen, und 8.412 von 90.000 Dokumenten sind fällig. Bis zur Bestätigung wird nichts entfernt.',
    );
  });
});
