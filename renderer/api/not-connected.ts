/** `away`: nothing was asked. `asked`: it had left, and nobody here knows whether it was done. `left`: so, for another connection. */
type Why = 'away' | 'asked' | 'left';

const WORDS: Record<Why, string> = {
  away: 'The engine stopped or cannot be reached. Nothing was changed; this window reconnects by itself.',
  asked: 'The engine stopped before it answered: this may have been done or not. Look once it is back.',
  left: 'This window went to another connection before it was answered: look there whether it was done.',
};

/** A call that has no answer, because there is nobody who could give one. */
export class NotConnected extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(WORDS[why]);
    this.why = why;
    this.name = 'NotConnected';
  }
}
