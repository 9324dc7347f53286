import { t } from '@lingui/core/macro';

/**
 * Outcome of a call without an answer. `not sent`: the call was not sent. `no answer`: it was sent, and its effect is
 * unknown. `connection changed`: the window changed connections.
 */
type Why = 'not sent' | 'no answer' | 'connection changed';

const MESSAGES: Record<Why, string> = {
  'not sent': t`The engine is not connected. The request was not sent. This window reconnects automatically.`,
  'no answer': t`The connection was lost before an answer: the outcome is unknown. Check it after reconnecting.`,
  'connection changed': t`This window changed connections before an answer: the outcome is unknown. Check it there.`,
};

/** A call without an answer, because the connection is lost. */
export class NotConnected extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(MESSAGES[why]);
    this.why = why;
    this.name = 'NotConnected';
  }
}
