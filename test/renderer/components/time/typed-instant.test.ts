import { describe, expect, it } from 'vitest';
import {
  instantText,
  parseTypedInstant,
  withDay,
} from '../../../../renderer/components/time/typed-instant.ts';

/** Monday. */
const NOW = Date.UTC(2026, 10, 23, 10, 0, 0);
const at = (text: string) => {
  const read = parseTypedInstant(text, NOW, 'utc');
  return 'at' in read ? new Date(read.at).toISOString() : read.problem;
};

describe('a typed instant', () => {
  it.each([
    ['now', '2026-11-23T10:00:00.000Z'],
    ['in 3 days', '2026-11-26T10:00:00.000Z'],
    ['In 1 hour and 30 minutes', '2026-11-23T11:30:00.000Z'],
    ['3d', '2026-11-26T10:00:00.000Z'],
    ['+2h', '2026-11-23T12:00:00.000Z'],
    ['2 h ago', '2026-11-23T08:00:00.000Z'],
    ['-2h', '2026-11-23T08:00:00.000Z'],
    ['today', '2026-11-23T00:00:00.000Z'],
    ['tomorrow 14:00', '2026-11-24T14:00:00.000Z'],
    ['tomorrow at 9:05:07', '2026-11-24T09:05:07.000Z'],
    ['18:00', '2026-11-23T18:00:00.000Z'],
    ['fri 9:30', '2026-11-27T09:30:00.000Z'],
    ['monday', '2026-11-30T00:00:00.000Z'],
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
    ['2026-12-24 18:00', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24T18:00:01.25Z', '2026-12-24T18:00:01.250Z'],
    ['2026-12-24T18:00:00+02:00', '2026-12-24T16:00:00.000Z'],
    ['2026-12-24 18:00 +0530', '2026-12-24T12:30:00.000Z'],
    ['1782864000', '2026-07-01T00:00:00.000Z'],
    ['1782864000000', '2026-07-01T00:00:00.000Z'],
    ['1782864000000000', '2026-07-01T00:00:00.000Z'],
  ])('reads %s', (text, instant) => expect(at(text)).toBe(instant));

  it.each([
    ['', 'Enter a date and a time.'],
    ['soon', '“soon” is not a date.'],
    ['03/04/2026', '“03/04/2026” is not a date.'],
    ['2026-02-30', '2026-02-30 does not exist.'],
    ['25:00', 'A time is between 00:00 and 23:59:59.'],
    ['in 3 fortnights', '“fortnights” is not a unit of time.'],
  ])('refuses “%s”', (text, problem) => expect(at(text)).toContain(problem));

  it('without an offset is wall-clock time of the zone, and is written as it is read', () => {
    const read = parseTypedInstant('2026-12-24 18:00', NOW, 'local');
    expect(read).toEqual({ at: new Date(2026, 11, 24, 18).getTime() });
    const text = instantText(NOW, 'local');
    expect(parseTypedInstant(text, 0, 'local')).toEqual({ at: NOW });
    expect(instantText(NOW, 'utc')).toBe('2026-11-23 10:00:00');
  });

  it('keeps its time of day on another day', () => {
    expect(withDay(NOW, '2026-12-24', 'utc')).toBe(Date.UTC(2026, 11, 24, 10));
    expect(withDay(NOW, 'another day', 'utc')).toBeNull();
  });
});
