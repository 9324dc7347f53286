/** JSON.rawJSON, which TypeScript's library does not know yet; every runtime we run on has it. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** An integer that becomes its plain digits in JSON. A class, because oRPC copies plain objects field by field. */
class IntegerText {
  readonly #value: bigint;
  constructor(value: bigint) {
    this.#value = value;
  }
  toJSON(): object {
    return JSON.rawJSON(String(this.#value));
  }
}

/** Tells oRPC to write integers beyond 2^53 as numbers, digit by digit, and not as strings [C1]. */
export const integerText = {
  condition: (value: unknown): boolean => typeof value === 'bigint',
  serialize: (value: unknown): unknown => (typeof value === 'bigint' ? new IntegerText(value) : value),
};
