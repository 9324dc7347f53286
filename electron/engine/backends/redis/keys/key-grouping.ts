import type { KeyGroupingSetting } from '../../../../../shared/contract/mirror.ts';
import { bytesOfText } from '../../../deadline-mirror/bytes-text.ts';
import { collectionNaming, recogniseSeparator } from './collection-naming.ts';

/** The grouping of one connection: as configured, or by the separator recognised in a sample of its keys. */
export class KeyGrouping {
  #given: KeyGroupingSetting;
  #naming: (key: Buffer) => string;
  #isRecognised: boolean;
  #separator: string | null;

  constructor(given: KeyGroupingSetting) {
    this.#given = given;
    this.#isRecognised = given.separator !== null;
    this.#separator = given.separator ?? ':';
    this.#naming = this.#namingBy(this.#separator);
  }

  /** Changes the grouping, for the keys of the next scan. */
  change(given: KeyGroupingSetting): void {
    this.#given = given;
    this.#isRecognised = given.separator !== null;
    this.#separator = given.separator ?? ':';
    this.#naming = this.#namingBy(this.#separator);
  }

  /** True while the separator has to be recognised from a sample of keys. */
  get wantsSample(): boolean {
    return !this.#isRecognised;
  }

  recognise(sample: readonly Buffer[]): void {
    this.#isRecognised = sample.length > 0;
    if (sample.length === 0) return;
    this.#separator = recogniseSeparator(sample);
    this.#naming = this.#namingBy(this.#separator);
  }

  /**
   * Returns the key that an `_id` names in a collection: the `_id` itself if that is in the collection, otherwise with
   * the collection's prefix; null if no such key is.
   */
  keyIn(collection: string, id: string): Buffer | null {
    const candidates = [bytesOfText(id)];
    if (this.#separator !== null)
      candidates.push(
        Buffer.concat([bytesOfText(collection), Buffer.from(this.#separator), bytesOfText(id)]),
      );
    return candidates.find(key => this.collectionOf(key) === collection) ?? null;
  }

  collectionOf(key: Buffer): string {
    return this.#naming(key);
  }

  #namingBy(separator: string | null): (key: Buffer) => string {
    return collectionNaming({ patterns: this.#given.patterns, separator });
  }
}
