import type { Reply } from './reply.ts';

export type Argument = string | number | Buffer;
export type Command = readonly [name: string, ...args: Argument[]];

/** Reply of one command of a pipeline. */
export type Outcome = { readonly reply: Reply } | { readonly error: Error };

/**
 * Sends commands to a server, or each to the master of its key. Nothing is queued while a connection is lost, and nothing
 * is sent twice: a command without a reply rejects with CONNECTION_NOT_OPEN.
 */
export interface CommandConnection {
  /** True if commands for every key can be sent. */
  readonly isReady: boolean;
  /** True if keys are on several servers: a script sees those of one of them only, and has to name its keys. */
  readonly isRouted: boolean;
  /** Rejects with a typed error; see `redisFailure`. */
  command(...command: Command): Promise<Reply>;
  /** Sends all commands at once. Never rejects: each command has its own outcome. */
  pipeline(commands: readonly Command[]): Promise<Outcome[]>;
  /** Calls `listener` each time that the connection becomes ready. Returns the function that unsubscribes. */
  onReady(listener: () => void): () => void;
  /** Calls `listener` each time that a connection is lost. Returns the function that unsubscribes. */
  onLost(listener: (error: Error) => void): () => void;
}
