import { describe, expect, it } from 'vitest';
import { notificationTexts } from '../../../electron/desktop/notification-text.ts';
import { AlertChanges } from '../../../electron/engine/protocol/alert-changes.ts';
import type { Alert } from '../../../shared/contract/alerts.ts';

function held(collection: string | null, message = 'It is held.'): Alert {
  return { id: `held/${collection}`, kind: 'held', collection, message, since: 0 };
}
const began = (alert: Alert) => ({ event: 'began', alert }) as const;
const ended = (alert: Alert) => ({ event: 'ended', alert }) as const;

describe('changes between lists of alerts', () => {
  it('contain each beginning and each end once, also of an alert that begins again', () => {
    const alerts = new AlertChanges();
    expect(alerts.take([held('a')])).toEqual([began(held('a'))]);
    expect(alerts.take([held('a', 'It is held still.')])).toEqual([]);
    expect(alerts.take([held('b')])).toEqual([ended(held('a')), began(held('b'))]);
    expect(alerts.take([held('a'), held('b')])).toEqual([began(held('a'))]);
    alerts.clear();
    expect(alerts.take([held('b')])).toEqual([began(held('b'))]);
  });
});

describe('the text of a notification', () => {
  it('names the collection or store and the state', () => {
    expect(notificationTexts([began(held('orders')), ended(held(null))], 'app.sandglass')).toEqual([
      { title: 'orders: held', body: 'It is held.' },
      { title: 'app.sandglass: no longer held', body: 'In app.sandglass.' },
    ]);
  });

  it('contains no control character of a name, and no markup', () => {
    const name = 'a\u202e\n<img src="http://evil.example/">';
    for (const event of [began, ended])
      for (const { title, body } of notificationTexts([event(held(name, `${name} is held.`))], name)) {
        expect(title).not.toMatch(/[\u202e\n]/);
        expect(body).not.toMatch(/[\u202e\n<>]/);
      }
  });

  it('keeps the state where the name is long', () => {
    const [text] = notificationTexts([began(held('x'.repeat(1_000)))], 'app.sandglass');
    expect(text?.title).toMatch(/^x{59}…: held$/);
  });

  it('combines many simultaneous changes', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => held(`c${i}`));
    expect(notificationTexts(many.map(began), 'app.sandglass')).toEqual([
      { title: 'app.sandglass: 1000 alerts', body: 'c0 (held), c1 (held), c2 (held) and 997 more.' },
    ]);
    const mixed = [...many.slice(0, 3).map(began), ended(held('d'))];
    expect(notificationTexts(mixed, 's')).toEqual([
      { title: 's: 3 alerts', body: 'c0 (held), c1 (held), c2 (held).' },
      { title: 's: 1 alert ended', body: 'd (held).' },
    ]);
  });
});
