import type { KeyGroupingSetting } from '../../../../../shared/contract/settings.ts';
import { collectionNaming, recogniseSeparator } from './collection-naming.ts';

/** The grouping of one connection: as configured, or by the separator recognised in a sample of its keys. */
export class KeyGrouping {
  #given: KeyGroupingSetting;
  #naming: (key: Buffer) => string;
  #isRecognised: boolean;

  constructor(given: KeyGroupingSetting) {
    this.#given = given;
    this.#isRecognised = given.separator !== null;
    this.#naming = this.#namingBy(given.separator ?? ':');
  }

  /** Changes the grouping, for the keys of the next scan. */
  change(given: KeyGroupingSetting): void {
    this.#given = given;
    this.#isRecognised = given.separator !== null;
    this.#naming = this.#namingBy(given.separator ?? ':');
  }

  /** True while the separator has to be recognised from a sample of keys. */
  get wantsSample(): boolean {
    return !this.#isRecognised;
  }

  recognise(sample: readonly Buffer[]): void {
    this.#isRecognised = sample.length > 0;
    if (sample.length > 0) this.#naming = this.#namingBy(recogniseSeparator(sample));
  }

  collectionOf(key: Buffer): string {
    return this.#naming(key);
  }

  #namingBy(separator: string | null): (key: Buffer) => string {
    return collectionNaming({ patterns: this.#given.patterns, separator });
  }
}
