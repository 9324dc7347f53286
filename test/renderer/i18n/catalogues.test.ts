import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { extractMessages } from '@lingui/native-tools';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../architecture/layers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LANGUAGES = ['de', 'zh-Hans'];

/** Returns the messages of a catalogue with their translations. */
async function catalogue(locale: string) {
  const filename = join(ROOT, `renderer/locales/${locale}.po`);
  const messages = await formatter({ lineNumbers: false }).parse(readFileSync(filename, 'utf8'), {
    locale,
    sourceLocale: 'en',
    filename,
  });
  return Object.values(messages).map(({ message = '', translation = '', extra }) => ({
    message,
    translation,
    isFuzzy: Array.isArray(extra?.flags) && extra.flags.includes('fuzzy'),
  }));
}

/** Returns the placeholders and elements of a message: `count`, `0`, `<0>`. */
function placeholders(message: string): string[] {
  const names = new Set([...message.matchAll(/<\/?\d+\/?>/g)].map(([tag]) => tag));
  const visit = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      const [name, , forms] = token;
      names.add(String(name));
      if (typeof forms === 'object' && forms !== null) Object.values(forms).forEach(visit);
    }
  };
  visit(compileMessageOrThrow(message));
  return [...names].toSorted();
}

describe('the catalogues', () => {
  it('hold exactly the messages of the sources: `npm run messages` brings them up to date', async () => {
    const sources = sourceFiles(ROOT).filter(({ source }) =>
      /from '@lingui\/(core|react)\/macro'/.test(source),
    );
    const found = await Promise.all(sources.map(({ path, source }) => extractMessages(source, path)));
    const messages = new Set(found.flatMap(file => file.messages.map(({ message }) => message ?? '')));
    for (const locale of ['en', ...LANGUAGES]) {
      const known = new Set((await catalogue(locale)).map(({ message }) => message));
      expect([...messages.difference(known)], `missing in ${locale}.po`).toEqual([]);
      expect([...known.difference(messages)], `unused in ${locale}.po`).toEqual([]);
    }
  });

  it.each(LANGUAGES)('have every message in %s, none of them fuzzy', async locale => {
    const wanting = (await catalogue(locale)).filter(
      ({ translation, isFuzzy }) => translation === '' || isFuzzy,
    );
    expect(wanting.map(({ message }) => message)).toEqual([]);
  });

  it.each(LANGUAGES)('have the same placeholders in %s', async locale => {
    for (const { message, translation } of await catalogue(locale))
      expect(placeholders(translation), message).toEqual(placeholders(message));
  });
});
