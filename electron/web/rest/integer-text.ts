/** JSON.rawJSON is missing in TypeScript's library; every supported runtime has it. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/**
 * An integer that is written to JSON as its digits. It is a class, because oRPC copies plain objects field by field.
 */
class IntegerText {
  readonly #value: bigint;
  constructor(value: bigint) {
    this.#value = value;
  }
  toJSON(): object {
    return JSON.rawJSON(String(this.#value));
  }
}

/** Serializer for oRPC: writes integers beyond 2^53 as numbers instead of strings [C1]. */
export const integerText = {
  condition: (value: unknown): boolean => typeof value === 'bigint',
  serialize: (value: unknown): unknown => (typeof value === 'bigint' ? new IntegerText(value) : value),
};
