import { z } from 'zod';

/** Facts of a scenario about its store, sent to the process that judges it. */
export const account = z.object({
  /** Documents whose write was acknowledged, and that nothing removes. */
  present: z.array(z.string()),
  /** Documents whose removal was reported. */
  gone: z.array(z.string()),
  /** How often each call failed, by `call: CODE`. */
  errors: z.record(z.string(), z.number()),
  /** How often the engine was opened again after the store was copied. */
  copied: z.number(),
  /** How many removals were of an interval. */
  intervals: z.number(),
  /** When the store was closed last, epoch ms. */
  closedAt: z.number(),
  /** Violations that the process itself saw. */
  wrong: z.array(z.string()),
  /** Uncaught errors of the process. */
  uncaught: z.array(z.string()),
});
export type Account = z.infer<typeof account>;

export const fromChild = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('done'), account }),
]);
export type FromChild = z.infer<typeof fromChild>;

export const toChild = z.object({
  scenario: z.string(),
  file: z.string(),
  /** Also a few due documents are removed at once, as an interval. */
  isAtOnce: z.boolean(),
});
export type ToChild = z.infer<typeof toChild>;
