import { describe, expect, it } from 'vitest';
import { prepareSlots } from '../../../../../renderer/features/timeline/model/buckets.ts';
import { tableRows } from '../../../../../renderer/features/timeline/model/table-rows.ts';
import { answerWith, bucket, DAY, HOUR, MINUTE, NOW } from '../build.ts';

function starts(bucketMs: number, before: number, after: number): string[] {
  const fromAt = Math.floor(NOW / bucketMs) * bucketMs;
  const answer = answerWith({ bucketMs, buckets: [bucket(fromAt, 1, 1)] });
  const slots = prepareSlots(answer, [true]);
  return tableRows(slots, 1, NOW, 'utc', before, after).map(row => row.starts);
}

describe('the rows of the table', () => {
  it('show the time today, the day on other days, and the year of another year', () => {
    expect(starts(10 * MINUTE, 0, 1)).toEqual(['14:30', '14:40']);
    expect(starts(3 * HOUR, 0, 4)).toEqual(['12:00', '15:00', '18:00', '21:00', '22 Nov 00:00']);
    expect(starts(6 * HOUR, 0, 1)).toEqual(['21 Nov 12:00', '21 Nov 18:00']);
    expect(starts(DAY, 0, 1)).toEqual(['21 Nov', '22 Nov']);
    expect(starts(28 * DAY, 0, 2).at(-1)).toMatch(/^\d+ Jan 2027$|^\d+ Dec$/);
  });
  it('have unique labels', () => {
    for (const bucketMs of [MINUTE, HOUR, 6 * HOUR, DAY, 28 * DAY, 364 * DAY]) {
      const rows = starts(bucketMs, 40, 80);
      expect(new Set(rows).size).toBe(rows.length);
    }
  });
});
