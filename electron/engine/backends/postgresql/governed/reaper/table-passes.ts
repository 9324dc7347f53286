import type { PassEnding, PassTrigger } from '../../../../expiry/expiry-store.ts';
import type { Session } from '../../connection/session.ts';
import { type TablePass, writePass } from '../schema/passes-table.ts';
import type { ServerNow } from './server-clock.ts';

/** Busy periods of a table closer together than this share a row, ms [R7]. */
const ONE_ROW_MS = 60_000;

/** The open pass of each table; written at most once a round. */
export class TablePasses {
  readonly #open = new Map<number, { pass: TablePass; startedMs: number }>();
  readonly #changed = new Set<TablePass>();
  /** What is removed first was due before the reaper began. */
  #isFirst = true;
  readonly #onWritten: (pass: TablePass) => void;

  constructor(onWritten: (pass: TablePass) => void) {
    this.#onWritten = onWritten;
  }

  /** Counts a batch that removed rows. */
  count(
    oid: number,
    batch: { name: string; removed: number; ms: number; cutoff: string; trigger: PassTrigger },
    now: ServerNow,
  ): TablePass {
    const pass = this.#of(oid, now, batch.trigger);
    pass.removed.set(batch.name, (pass.removed.get(batch.name) ?? 0) + batch.removed);
    pass.batches += 1;
    pass.longestBatchMs = Math.max(pass.longestBatchMs, batch.ms);
    pass.cutoff = batch.cutoff;
    pass.endedAt = now.text;
    pass.ending = 'stopped';
    this.#changed.add(pass);
    return pass;
  }

  /** Sets how the open pass of a table ended; a table without one is left alone. */
  end(oid: number, ending: PassEnding): void {
    const pass = this.#open.get(oid)?.pass;
    if (pass === undefined || pass.ending === ending) return;
    pass.ending = ending;
    this.#changed.add(pass);
  }

  endAll(ending: PassEnding): void {
    for (const oid of this.#open.keys())
      if (this.#open.get(oid)?.pass.ending === 'stopped') this.end(oid, ending);
  }

  /** Ends the passes of tables in which nothing is left to do, or in which all of it waits for a limit. */
  endIdle({ busy, limited }: { busy: ReadonlySet<number>; limited: ReadonlySet<number> }): void {
    for (const [oid, { pass }] of this.#open) {
      if (pass.ending !== 'stopped') continue;
      if (limited.has(oid)) this.end(oid, 'limit');
      else if (!busy.has(oid)) this.end(oid, 'drained');
    }
  }

  /** Ends the pass of a table, or a new one, with an error. */
  fail(oid: number, message: string, now: ServerNow): void {
    const pass = this.#of(oid, now, 'deadline');
    pass.ending = 'error';
    pass.error = message;
    pass.endedAt = now.text;
    this.#changed.add(pass);
  }

  async write(session: Session): Promise<void> {
    for (const pass of this.#changed) {
      await writePass(session, pass);
      this.#changed.delete(pass);
      this.#onWritten(pass);
    }
  }

  #of(oid: number, now: ServerNow, trigger: PassTrigger): TablePass {
    const open = this.#open.get(oid);
    // A pass that a person started has a row of its own.
    const isOfHand = trigger === 'manual' && open?.pass.trigger !== 'manual';
    if (open !== undefined && !isOfHand && now.ms - open.startedMs < ONE_ROW_MS) return open.pass;
    const pass: TablePass = {
      id: null,
      oid,
      startedAt: now.text,
      endedAt: now.text,
      trigger: this.#isFirst && trigger === 'deadline' ? 'start' : trigger,
      cutoff: now.text,
      removed: new Map(),
      batches: 0,
      longestBatchMs: 0,
      ending: 'stopped',
      error: null,
    };
    this.#isFirst = false;
    this.#open.set(oid, { pass, startedMs: now.ms });
    return pass;
  }
}
