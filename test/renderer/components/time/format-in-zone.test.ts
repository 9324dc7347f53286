import { expect, test } from 'vitest';
import { textInZone } from '../../../../renderer/components/time/format-in-zone.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';

const AT = Date.UTC(2026, 10, 22, 0, 5, 6);
const told = (at: string) => `It is deleted at ${at}, because exp counts 1 hour from at, ${at}.`;

test('instants of a sentence are told in the zone that is shown, all of them', () => {
  const sentence = told(formatInstantInFull(AT, 'utc'));
  expect(sentence).toContain('Sun 22 Nov 2026 00:05:06 UTC');
  expect(textInZone(sentence, 'local')).toBe(told(formatInstantInFull(AT, 'local')));
  expect(textInZone(sentence, 'utc')).toBe(sentence);
});

test('what only looks like one stays as it is', () => {
  const sentence = 'its Abc 99 Xyz 2026 00:00:00 UTC is text that is no date';
  expect(textInZone(sentence, 'local')).toBe(sentence);
});
