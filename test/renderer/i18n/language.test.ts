import { describe, expect, it } from 'vitest';
import { languageFor } from '../../../renderer/i18n/language.ts';

describe('the language of the window', () => {
  it.each([
    [['de-AT', 'en-GB'], 'de'],
    [['fr-FR', 'zh-CN'], 'zh-Hans'],
    [['zh-SG'], 'zh-Hans'],
    [['zh-TW', 'de'], 'de'],
    [['zh-Hant'], 'en'],
    [['en-US', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('is for the system’s %j %s', (preferred, language) => {
    expect(languageFor('system', preferred)).toBe(language);
  });

  it('is the chosen one, with any language of the system', () => {
    expect(languageFor('zh-Hans', ['de'])).toBe('zh-Hans');
    expect(languageFor('en', ['de'])).toBe('en');
  });
});
