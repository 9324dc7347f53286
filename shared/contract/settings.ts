import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { count, nothing } from './schemas/common-schemas.ts';

/** Settings of the store, with their defaults. Changes apply from the next batch on [R3]. */
export const SETTINGS = {
  /** Documents that one index may remove per second; 0: unlimited. */
  removalsPerSecond: z.number().min(0).max(10_000_000).default(0),
  /** Longest time that one batch holds the writer. */
  batchMs: z.number().min(0.5).max(1_000).default(8),
  /** Longest time of a batch while calls wait. */
  batchMsWhileCallsWait: z.number().min(0.5).max(1_000).default(1.5),
  /** Most documents in one batch; 0: limited by its time only. */
  batchSize: count.max(1_000_000).default(0),
  /**
   * Most removals in one pass of a collection, and in all passes that run at the same time; 0: no limit (ArangoDB's two
   * caps).
   */
  mostPerPass: count.default(0),
  mostPerPassInTotal: count.default(0),
  /** Time for which expired documents can be restored, s, and the most bytes kept for that [X4]. */
  retention: z.number().min(0).max(3_153_600_000).default(86_400),
  retentionBytes: count.default(1024 ** 3),
  /** The circuit breaker trips if both are exceeded: a share of the collection, and a number of documents [R8]. */
  breakerShare: z.number().min(0).max(1).default(0.5),
  breakerDocuments: count.default(10_000),
  /**
   * Bounds of a change without confirmation: a change that makes more documents of a collection due than both is
   * confirmed first [R8].
   */
  confirmShare: z.number().min(0).max(1).default(0.1),
  confirmDocuments: count.default(1_000),
  /** If a store was closed for longer than this, in days, the documents due meanwhile are held [R9]. */
  holdAfterDays: z.number().min(0).max(36_500).default(7),
  /** A jump of the clock by more than this, s, holds the reaper [R10]. */
  clockJump: z.number().min(1).max(31_536_000).default(3_600),
  /** Limits of the change log in seconds and bytes, whichever is reached first [V3]. */
  logSeconds: z.number().min(60).max(31_536_000).default(86_400),
  logBytes: count.min(1024 * 1024).default(256 * 1024 * 1024),
} as const;

export const settingsAnswer = z.object(SETTINGS);
export type Settings = z.infer<typeof settingsAnswer>;
export const DEFAULT_SETTINGS: Settings = settingsAnswer.parse({});

/** A setting to change. Absent: unchanged. Null: default. */
const changes = z.strictObject(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, schema]) => [name, schema.unwrap().nullable().optional()]),
  ) as {
    [Name in keyof typeof SETTINGS]: z.ZodOptional<
      z.ZodNullable<ReturnType<(typeof SETTINGS)[Name]['unwrap']>>
    >;
  },
);

export const settings = {
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/settings', tags: ['Settings'], summary: 'The store’s settings' })
    .input(nothing.optional())
    .output(settingsAnswer),
  update: procedure({ permission: 'configure', writes: true, feature: 'settings' })
    .route({
      method: 'PATCH',
      path: '/api/settings',
      tags: ['Settings'],
      summary: 'Change settings; null returns one to its default [R3]',
    })
    .input(changes)
    .output(settingsAnswer),
};
