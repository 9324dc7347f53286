import type { KeyReader, ScanStep } from './key-reader.ts';

/** Keys from which the separator is recognised: with 10,000 prefixes, a tenth of the keys repeat one. */
const KEYS = 2_000;
const KEYS_A_STEP = 200;

/** Returns some keys of a database, a part of them from each master. */
export async function separatorSample(readers: readonly KeyReader[]): Promise<Buffer[]> {
  const sample: Buffer[] = [];
  for (const [i, reader] of readers.entries()) {
    const enough = (KEYS * (i + 1)) / readers.length;
    let cursor: string | null = null;
    do {
      const { keys, next }: ScanStep = await reader.scan(cursor, KEYS_A_STEP);
      for (const { key } of keys) sample.push(key);
      cursor = next;
    } while (cursor !== null && sample.length < enough);
  }
  return sample;
}
