import type { Openings } from '../../backend.ts';
import type { Writer } from '../write/writer.ts';

interface LastOpening {
  at: number;
  clockOffsetMs: number;
}

/**
 * The last time at which the store was open, in `meta`. It is written without waiting for the disk: after a crash it
 * may be a minute too old.
 */
export class EmbeddedOpenings implements Openings {
  readonly last: LastOpening | null;
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
    const { meta } = writer;
    const at = meta.number('lastOpenAt');
    this.last = at === null ? null : { at, clockOffsetMs: meta.number('clockOffset') ?? 0 };
  }

  record(clockOffsetMs: number): void {
    const at = this.#writer.clock.now();
    const { meta } = this.#writer;
    this.#writer.maintain(() => {
      meta.set('lastOpenAt', at);
      meta.set('clockOffset', clockOffsetMs);
    });
  }
}
