/** `away`: not sent. `asked`: sent, and the outcome is unknown. `left`: the window changed connections. */
type Why = 'away' | 'asked' | 'left';

const WORDS: Record<Why, string> = {
  away: 'The engine is not connected. The request was not sent. This window reconnects automatically.',
  asked: 'The connection was lost before an answer: the outcome is unknown. Check it after reconnecting.',
  left: 'This window changed connections before an answer: the outcome is unknown. Check it there.',
};

/** A call without an answer, because the connection is lost. */
export class NotConnected extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(WORDS[why]);
    this.why = why;
    this.name = 'NotConnected';
  }
}
