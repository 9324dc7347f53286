import type { Clock } from '../../engine/platform/clock.ts';
import type { Terminal } from '../output/terminal.ts';
import type { CommandSyntax } from '../syntax/command-syntax.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';
import type { OpenMode, OpenStore } from './open-store.ts';

/** Arguments, streams and store of a running command. */
export interface Session {
  readonly args: ParsedArguments;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: AsyncIterable<unknown>;
  /** Opens the store that the options name, until the command ends. Rejects as `openStore`. */
  open(mode?: OpenMode): Promise<OpenStore>;
}

/** A command: one row of the table in commands.ts. */
export interface Command extends CommandSyntax {
  /** Exit code of every failure, for a command whose other codes are results; by default that of the failure. */
  readonly exitCodeOfFailures?: 2;
  /**
   * Resolves to the exit code; undefined is 0. Rejects with an error that output/failures.ts converts, or with a
   * defect.
   */
  run(session: Session): Promise<number | undefined>;
}
