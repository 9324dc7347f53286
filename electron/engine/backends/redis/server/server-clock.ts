import type { Clock } from '../../../platform/clock.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { listOf, textOf } from '../connection/reply.ts';

/** Difference between the server's wall clock and this machine's, ms, and the error of that measurement. */
export interface ClockOffset {
  readonly offsetMs: number;
  /** Half of the round trip of the measurement. */
  readonly plusMinusMs: number;
}

const SAMPLES = 5;

/** The server's clock, by which its keys expire. Measured with TIME: the sample with the shortest round trip counts. */
export class ServerClock {
  readonly #clock: Clock;
  #offset: ClockOffset = { offsetMs: 0, plusMinusMs: Infinity };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get offset(): ClockOffset {
    return this.#offset;
  }

  /** Returns whole epoch ms by the server's clock. */
  now(): number {
    return Math.round(this.#clock.now() + this.#offset.offsetMs);
  }

  /** Returns when the server sent a message that arrives now, epoch ms by its clock. */
  sentAt(): number {
    const { plusMinusMs } = this.#offset;
    return this.now() - (Number.isFinite(plusMinusMs) ? Math.round(plusMinusMs) : 0);
  }

  async measure(connection: CommandConnection): Promise<ClockOffset> {
    let best: ClockOffset = { offsetMs: 0, plusMinusMs: Infinity };
    for (let i = 0; i < SAMPLES; i++) {
      const sentAt = this.#clock.elapsed();
      const [seconds, microseconds] = listOf(await connection.command('TIME'));
      const plusMinusMs = (this.#clock.elapsed() - sentAt) / 2;
      if (plusMinusMs >= best.plusMinusMs) continue;
      const server = Number(textOf(seconds)) * 1_000 + Number(textOf(microseconds)) / 1_000;
      best = { offsetMs: server + plusMinusMs - this.#clock.now(), plusMinusMs };
    }
    this.#offset = best;
    return best;
  }
}
