import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { count, instant, nothing } from './schemas/common-schemas.ts';

const ALERT_KINDS = ['overdue', 'held', 'quarantined', 'disk full', 'sync failed'] as const;

/** A state of the store that needs attention. Reported once when it begins and once when it ends. */
export const alert = z.object({
  /** Unique while the alert lasts. */
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  /** The collection; null: the whole store. */
  collection: z.string().nullable(),
  message: z.string(),
  since: instant,
});
export type Alert = z.infer<typeof alert>;

/** The JSON body sent to a webhook. */
export const alertEvent = z.object({
  event: z.enum(['began', 'ended', 'test']),
  at: instant,
  store: z.string(),
  /** The alert; null for a test. */
  alert: alert.nullable(),
});
export type AlertEvent = z.infer<typeof alertEvent>;

/** The secret itself is never returned. */
export const webhookAnswer = z.object({
  url: z.string().nullable(),
  /** Allows `http` to another machine. */
  insecure: z.boolean(),
  /** Number of events not sent yet. */
  waiting: count,
  /** The last attempt; `problem` null: it succeeded. */
  last: z.object({ at: instant, problem: z.string().nullable() }).nullable(),
});
export type WebhookAnswer = z.infer<typeof webhookAnswer>;

const tags = ['Alerts'];

/** Alerts while no window is open: overdue, held, quarantined, disk full, sync failed. Off unless a webhook is set. */
export const alerts = {
  list: procedure({ permission: 'read', writes: false, feature: 'alerts' })
    .route({ method: 'GET', path: '/api/alerts', tags, summary: 'Active alerts' })
    .input(nothing.optional())
    .output(z.array(alert)),
  webhook: procedure({ permission: 'configure', writes: false, feature: 'alerts' })
    .route({
      method: 'GET',
      path: '/api/webhook',
      tags,
      summary: 'The webhook for alerts, without its secret',
    })
    .input(nothing.optional())
    .output(webhookAnswer),
  setWebhook: procedure({ permission: 'configure', writes: true, feature: 'alerts' })
    .route({
      method: 'PUT',
      path: '/api/webhook',
      tags,
      summary: 'Set the webhook for alerts, signed with a secret',
    })
    .input(
      z.strictObject({
        url: z.string().max(2_000),
        /** Secret that signs each body; may be omitted if this address already has one. */
        secret: z.string().min(16).max(1_000).optional(),
        insecure: z.boolean().default(false),
      }),
    )
    .output(webhookAnswer),
  removeWebhook: procedure({ permission: 'configure', writes: true, feature: 'alerts' })
    .route({ method: 'DELETE', path: '/api/webhook', tags, summary: 'Remove the webhook for alerts' })
    .input(nothing.optional())
    .output(webhookAnswer),
  testWebhook: procedure({ permission: 'configure', writes: true, feature: 'alerts' })
    .route({
      method: 'POST',
      path: '/api/webhook/test',
      tags,
      summary: 'Send a test to the webhook and return its result',
    })
    .input(nothing.optional())
    .output(z.object({ problem: z.string().nullable() })),
};
