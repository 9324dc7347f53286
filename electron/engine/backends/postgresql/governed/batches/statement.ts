/** An SQL statement and its parameters, which are added as the text is written. */
export class Statement {
  readonly params: unknown[] = [];

  /** Adds a parameter, and returns it as SQL of that type. */
  param(value: unknown, type: string): string {
    this.params.push(value);
    return `$${this.params.length}::${type}`;
  }
}
