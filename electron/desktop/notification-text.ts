import type { Alert } from '../../shared/contract/alerts.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import type { AlertChange } from '../engine/protocol/alert-changes.ts';

export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** More simultaneous changes are combined into one notification per event. */
const MOST_AT_ONCE = 3;
/** Characters. Systems cut off the end of a longer title, which names the state. */
const LONGEST_NAME = 60;

/** Returns the notifications for changes in the store named `store`. Control characters in names are escaped. */
export function notificationTexts(changes: readonly AlertChange[], store: string): NotificationText[] {
  if (changes.length <= MOST_AT_ONCE) return changes.map(change => textOf(change, store));
  return (['began', 'ended'] as const).flatMap(event => {
    const alerts = changes.filter(change => change.event === event).map(({ alert }) => alert);
    const count = `${alerts.length} ${alerts.length === 1 ? 'alert' : 'alerts'}`;
    if (alerts.length === 0) return [];
    return {
      title: nameOf(store) + (event === 'began' ? `: ${count}` : `: ${count} ended`),
      body: places(alerts),
    };
  });
}

function textOf({ event, alert }: AlertChange, store: string): NotificationText {
  const subject = nameOf(alert.collection ?? store);
  return event === 'began'
    ? { title: `${subject}: ${alert.kind}`, body: bodyOf(alert.message) }
    : { title: `${subject}: no longer ${alert.kind}`, body: bodyOf(`In ${store}.`) };
}

function places(alerts: readonly Alert[]): string {
  const named = alerts.slice(0, MOST_AT_ONCE).map(({ kind, collection }) => {
    return collection === null ? kind : `${nameOf(collection)} (${kind})`;
  });
  const rest = alerts.length - named.length;
  return bodyOf(`${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`);
}

function nameOf(name: string): string {
  const visible = visibleText(name);
  return visible.length <= LONGEST_NAME ? visible : `${visible.slice(0, LONGEST_NAME - 1)}…`;
}

/** Linux desktops may render a body as markup (links, images), so it contains no tags. */
function bodyOf(text: string): string {
  return visibleText(text).replaceAll('<', '‹').replaceAll('>', '›');
}
