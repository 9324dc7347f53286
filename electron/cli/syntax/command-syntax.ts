/** A positional argument: `COLLECTION`. */
export interface Argument {
  readonly name: string;
  readonly optional?: true;
  /** Takes all remaining words; only for the last argument. */
  readonly many?: true;
}

export interface Option {
  /** Placeholder of its value in the help; an option without it is a flag. */
  readonly value?: string;
  readonly help: string;
  /** May be given several times. */
  readonly many?: true;
}

/** Name, arguments and options of a command, for the parser and the help. */
export interface CommandSyntax {
  /** `ttl create` */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** Lines below the options: conditions and examples. */
  readonly notes?: readonly string[];
  /** `none`: the command uses no store. `creates`: it creates a store that does not exist. */
  readonly store: 'none' | 'opens' | 'creates';
  /** The words are not parsed here but forwarded to another program. */
  readonly forwardsArguments?: true;
}
