import type { Clock } from '../../engine/platform/clock.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Given } from '../syntax/parsed-arguments.ts';
import type { HowToOpen, OpenStore } from './open-store.ts';

/** One word that is no option: `COLLECTION`. */
export interface Argument {
  readonly name: string;
  readonly optional?: true;
  /** As many as there are; only the last one. */
  readonly many?: true;
}

export interface Option {
  /** What stands for its value in the help; without it the option takes none. */
  readonly value?: string;
  readonly help: string;
}

/** What a running command is given. */
export interface Session {
  readonly given: Given;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: AsyncIterable<unknown>;
  /** The store that the options name; it is closed when the command ends. Rejects with what opening it rejects with. */
  open(how?: HowToOpen): Promise<OpenStore>;
}

/** A command as parsing and help know it: one row of the table in commands.ts. */
export interface Command {
  /** `ttl create` */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** Lines below its options: what must be known, and examples. */
  readonly notes?: readonly string[];
  /** `none`: it asks no store. `makes`: it makes one where there is none. */
  readonly store: 'none' | 'opens' | 'makes';
  /** Its words are not looked at here: another program parses them. */
  readonly passesOn?: true;
  /** Answers its exit code; 0 unless it says otherwise. Throws what failures.ts tells. */
  run(session: Session): Promise<number | undefined>;
}
