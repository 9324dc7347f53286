import { language } from './i18n.ts';

const comma = language === 'zh-Hans' ? '，' : ', ';
const alternatives = new Intl.ListFormat(language, { type: 'disjunction' });

/** Returns parts of a sentence with commas between: `3 overdue, 2 held`. */
export const formatList = (parts: readonly string[]): string => parts.join(comma);

/** Returns alternatives as part of a sentence: `ISO 8601 or s`. */
export const formatAlternatives = (parts: readonly string[]): string => alternatives.format(parts);

/**
 * Returns the beginning of a sentence as a part of another sentence. Other letters do not change: nouns in German begin
 * with a capital.
 */
export const withSmallInitial = (text: string): string =>
  text.charAt(0).toLocaleLowerCase(language) + text.slice(1);
