import { basename } from 'node:path';
import { embedded } from './procedure-guard.ts';

/** Active alerts, and the webhook that receives them. */
export const alerts = {
  list: embedded.alerts.list.handler(({ context: { engine } }) => engine.alerts.active()),
  webhook: embedded.alerts.webhook.handler(({ context: { engine } }) => engine.webhook.answer()),
  setWebhook: embedded.alerts.setWebhook.handler(({ input, context: { engine } }) => {
    engine.webhook.set(input);
    return engine.webhook.answer();
  }),
  removeWebhook: embedded.alerts.removeWebhook.handler(({ context: { engine } }) => {
    engine.webhook.remove();
    return engine.webhook.answer();
  }),
  testWebhook: embedded.alerts.testWebhook.handler(async ({ context: { engine } }) => {
    const { backend, clock, webhook } = engine;
    const news = { event: 'test', at: clock.now(), store: basename(backend.file), alert: null } as const;
    return { problem: await webhook.test(news) };
  }),
};
