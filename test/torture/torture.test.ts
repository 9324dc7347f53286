import { describe, expect, it } from 'vitest';
import { runsHere } from '../support/runs-here.ts';
import { runPart } from './part.ts';
import { PARTS } from './parts.ts';

const SEED = Number(process.env.TORTURE_SEED ?? 1);

/** `npm run torture` runs each part for long; here is a sample of each, with the same seed every time. */
describe.each(PARTS)('$name', part => {
  it.runIf(runsHere(part.title, part.missing))(`nothing is lost under ${part.title}`, async () => {
    const { done, failures } = await runPart(part, { seed: SEED, seconds: 'quick' });
    expect(failures).toEqual([]);
    expect(done).not.toEqual({});
  });
});

it('each part has a name of its own, by which it is run again', () => {
  expect(new Set(PARTS.map(({ name }) => name)).size).toBe(PARTS.length);
});
