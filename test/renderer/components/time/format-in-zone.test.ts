import { expect, test } from 'vitest';
import { formatInZone } from '../../../../renderer/components/time/format-in-zone.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';

const AT = Date.UTC(2026, 10, 22, 0, 5, 6);
const told = (at: string) => `It is deleted at ${at}, because exp counts 1 hour from at, ${at}.`;

test('all instants of a message are shown in the zone of the window', () => {
  const sentence = told(formatInstantInFull(AT, 'utc'));
  expect(sentence).toContain('Sun 22 Nov 2026 00:05:06 UTC');
  expect(formatInZone(sentence, 'local')).toBe(told(formatInstantInFull(AT, 'local')));
  expect(formatInZone(sentence, 'utc')).toBe(sentence);
});

test('text that only resembles an instant is unchanged', () => {
  const sentence = 'its Abc 99 Xyz 2026 00:00:00 UTC is text that is no date';
  expect(formatInZone(sentence, 'local')).toBe(sentence);
});
