import { collectionNaming, type Grouping, recogniseSeparator } from './grouping.ts';

/** The grouping of one connection: as given, or by the separator that a sample of its keys has. */
export class KeyGrouping {
  readonly #given: Partial<Grouping>;
  #naming: (key: Buffer) => string;
  #isRecognised: boolean;

  constructor(given: Partial<Grouping> = {}) {
    this.#given = given;
    this.#isRecognised = given.separator !== undefined;
    this.#naming = this.#namingBy(given.separator ?? ':');
  }

  /** Whether a sample of keys is still wanted. */
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
    return collectionNaming({ patterns: this.#given.patterns ?? [], separator });
  }
}
