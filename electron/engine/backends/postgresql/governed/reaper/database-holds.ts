import type { Clock } from '../../../../platform/clock.ts';
import type { Session } from '../../connection/session.ts';
import { deadlineSql } from '../deadline/deadline-sql.ts';
import { readDefinitions } from '../schema/definitions-table.ts';
import { endClockHold, placeHold } from '../schema/holds-table.ts';
import { recordReaping } from '../schema/state-table.ts';
import { readTables } from '../table-facts.ts';
import { type DueShare, readDueShare } from './breaker.ts';
import type { ServerClockGuard, ServerNow } from './server-clock.ts';

/** Time without a reaper after which what fell due meanwhile waits for a person [R9]. */
const LONG_CLOSED_MS = 7 * 86_400_000;
/** The reaper's work is recorded this often, ms. */
const RECORD_EVERY_MS = 60_000;
const PLACED_BY = 'Sandglass';

/** Holds of a whole database: after a jump of the server's clock [R10], or a long time without a reaper [R9]. */
export class DatabaseHolds {
  readonly #clock: Clock;
  readonly #guard: ServerClockGuard;
  #recordedAt = Number.NEGATIVE_INFINITY;
  #isFirst = true;

  constructor({ clock, clockGuard }: { clock: Clock; clockGuard: ServerClockGuard }) {
    this.#clock = clock;
    this.#guard = clockGuard;
  }

  /** Places holds for which there is a cause. Returns whether the database is held. */
  async check(session: Session, now: ServerNow): Promise<boolean> {
    const isHeld =
      (await this.#checkClock(session, now)) || now.isHeld || (await this.#checkClosed(session, now));
    this.#isFirst = false;
    if (!isHeld) await this.#record(session);
    return isHeld;
  }

  async #checkClock(session: Session, now: ServerNow): Promise<boolean> {
    const jump = this.#guard.check(now.ms, this.#clock.elapsed());
    if (jump === null) {
      if (this.#guard.isHeld) await endClockHold(session);
      this.#guard.isHeld = false;
      return false;
    }
    if (this.#guard.isHeld && !now.isHeld) {
      // A person ended the hold: the clock is right.
      this.#guard.accept();
      return false;
    }
    if (!this.#guard.isHeld) {
      const { due, documents: rows } = await dueNow(session, now.ms);
      const durationMs = jump.byMs;
      await placeHold(session, { ...WHOLE, cause: 'clock forward', due, rows, durationMs });
      this.#guard.isHeld = true;
    }
    return true;
  }

  async #checkClosed(session: Session, now: ServerNow): Promise<boolean> {
    if (!this.#isFirst || now.reapedAt === null) return false;
    const durationMs = now.ms - now.reapedAt;
    if (durationMs <= LONG_CLOSED_MS) return false;
    const { due, documents: rows } = await dueNow(session, now.ms);
    if (due === 0) return false;
    await placeHold(session, { ...WHOLE, cause: 'long closed', due, rows, durationMs });
    return true;
  }

  async #record(session: Session): Promise<void> {
    const at = this.#clock.elapsed();
    if (at - this.#recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt = at;
    await recordReaping(session);
  }
}

const WHOLE = { oid: null, name: null, by: PLACED_BY } as const;

/** Counts what all definitions make due. `now`: epoch ms. */
async function dueNow(session: Session, now: number): Promise<DueShare> {
  const definitions = await readDefinitions(session, () => {});
  const acting = definitions.filter(
    ({ paused, definition }) => paused === null && definition.schedule.mode !== 'observe',
  );
  const tables = await readTables(session, [...new Set(acting.map(({ oid }) => oid))]);
  const shares = new Map<number, DueShare>();
  for (const { oid, definition } of acting) {
    const table = tables.get(oid);
    if (table === undefined) continue;
    const share = await readDueShare(
      session,
      table,
      await deadlineSql(session, table, definition.source),
      now,
    );
    if (share.due >= (shares.get(oid)?.due ?? 0)) shares.set(oid, share);
  }
  const sum = (read: (share: DueShare) => number) =>
    [...shares.values()].reduce((all, one) => all + read(one), 0);
  return { due: sum(({ due }) => due), documents: sum(({ documents }) => documents) };
}
