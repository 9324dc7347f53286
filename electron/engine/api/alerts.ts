import { basename } from 'node:path';
import { api } from './procedure-guard.ts';

/** Active alerts, and the webhook that receives them. */
export const alerts = {
  list: api.alerts.list.handler(({ context: { engine } }) => engine.alerts.active()),
  webhook: api.alerts.webhook.handler(({ context: { engine } }) => engine.webhook.answer()),
  setWebhook: api.alerts.setWebhook.handler(({ input, context: { engine } }) => {
    engine.webhook.set(input);
    return engine.webhook.answer();
  }),
  removeWebhook: api.alerts.removeWebhook.handler(({ context: { engine } }) => {
    engine.webhook.remove();
    return engine.webhook.answer();
  }),
  testWebhook: api.alerts.testWebhook.handler(async ({ context: { engine } }) => {
    const { backend, clock, webhook } = engine;
    const news = { event: 'test', at: clock.now(), store: basename(backend.file), alert: null } as const;
    return { problem: await webhook.test(news) };
  }),
};
