import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../../electron/engine/backends/embedded/write/new-id.ts';
import { NOON } from '../../../support/engine.ts';

const millisecondsOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('a generated _id', () => {
  it('[C1] is a UUIDv7 that carries the time', () => {
    for (const now of [0, NOON, NOON + 1, Date.UTC(9999, 11, 31)]) {
      const id = newId(now);
      expect([validate(id), version(id), millisecondsOf(id)]).toEqual([true, 7, now]);
    }
  });

  it('[C1] is never generated twice, and those of one millisecond ascend', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(NOON));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('[C1] ends in random bits', () => {
    const tails = Array.from({ length: 10_000 }, () => newId(NOON).slice(-10));
    expect(new Set(tails).size).toBeGreaterThan(9_990);
  });

  it('[C1] is unique even if the clock returns the same time again', () => {
    const ids = [NOON, NOON + 1, NOON, NOON + 1].flatMap(now => [newId(now), newId(now)]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
