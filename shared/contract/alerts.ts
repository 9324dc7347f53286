import { z } from 'zod';
import { count, instant, nothing, procedure } from './base.ts';

export const ALERT_KINDS = ['overdue', 'held', 'quarantined', 'disk full'] as const;

/** A state of the store that somebody is told of: once as it begins and once as it ends. */
export const alert = z.object({
  /** Unique while it lasts. */
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  /** Null: the whole store. */
  collection: z.string().nullable(),
  message: z.string(),
  since: instant,
});
export type Alert = z.infer<typeof alert>;

/** What a webhook is sent, as JSON. */
export const alertNews = z.object({
  event: z.enum(['began', 'ended', 'test']),
  at: instant,
  store: z.string(),
  /** Null: it is a test. */
  alert: alert.nullable(),
});
export type AlertNews = z.infer<typeof alertNews>;

/** The secret is never told. */
export const webhookAnswer = z.object({
  url: z.string().nullable(),
  /** It may be `http` to another machine. */
  insecure: z.boolean(),
  /** News that wait to be sent. */
  waiting: count,
  /** The last try; `problem` null: it was taken. */
  last: z.object({ at: instant, problem: z.string().nullable() }).nullable(),
});
export type WebhookAnswer = z.infer<typeof webhookAnswer>;

const tags = ['Alerts'];

/** News when no window is open: overdue, held, quarantined, disk full. Off unless a webhook is set. */
export const alerts = {
  list: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/alerts', tags, summary: 'What calls for somebody’s attention now' })
    .input(nothing.optional())
    .output(z.array(alert)),
  webhook: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'GET',
      path: '/api/webhook',
      tags,
      summary: 'Where alerts are sent; the secret is not told',
    })
    .input(nothing.optional())
    .output(webhookAnswer),
  setWebhook: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'PUT',
      path: '/api/webhook',
      tags,
      summary: 'Send alerts to an address, signed with a secret',
    })
    .input(
      z.strictObject({
        url: z.string().max(2_000),
        /** Signs what is sent; may be left out where the same address has one. */
        secret: z.string().min(16).max(1_000).optional(),
        insecure: z.boolean().default(false),
      }),
    )
    .output(webhookAnswer),
  removeWebhook: procedure({ permission: 'configure', writes: true })
    .route({ method: 'DELETE', path: '/api/webhook', tags, summary: 'Send alerts nowhere' })
    .input(nothing.optional())
    .output(webhookAnswer),
  testWebhook: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/webhook/test',
      tags,
      summary: 'Send one test and say whether it was taken',
    })
    .input(nothing.optional())
    .output(z.object({ problem: z.string().nullable() })),
};
