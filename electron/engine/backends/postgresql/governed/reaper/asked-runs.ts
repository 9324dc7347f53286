import type { Session } from '../../connection/session.ts';
import type { TablePass } from '../schema/passes-table.ts';
import { type AskedRun, beginRun, endRun } from '../schema/runs-table.ts';
import type { ServerNow } from './server-clock.ts';
import type { SourceRegistry } from './source-registry.ts';
import { SourceWork } from './source-work.ts';

/** Passes that a person started [R6], one after another. Their laps take turns with those of deadlines. */
export class AskedRuns {
  #running: { run: AskedRun; works: SourceWork[] } | null = null;
  readonly #passes = new Set<TablePass>();
  #removed = 0;

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** The work of the running pass that has not ended. */
  get works(): SourceWork[] {
    return this.#running?.works.filter(work => work.isInLap) ?? [];
  }

  /** Begins the next pass that was asked for, unless one runs. */
  async begin(session: Session, registry: SourceRegistry, now: ServerNow, elapsed: number): Promise<void> {
    if (this.isBusy || !now.isAsked) return;
    const run = await beginRun(session);
    if (run === null) return;
    const works = (await registry.inScope(session, run, now)).map(
      source => new SourceWork(source, { isByHand: true }),
    );
    for (const work of works) work.begin(now.text, elapsed);
    this.#running = { run, works };
    this.#removed = 0;
    this.#passes.clear();
  }

  /** Counts a batch of its work. */
  count(removed: number, pass: TablePass): void {
    this.#removed += removed;
    this.#passes.add(pass);
  }

  /** Ends the running pass once all of its work has ended. Call it after its passes are stored. */
  async endIfDone(session: Session): Promise<void> {
    if (this.#running === null || this.works.length > 0) return;
    const { run, works } = this.#running;
    const passIds = [...this.#passes].flatMap(({ id }) => id ?? []);
    const error = works.flatMap(({ failure }) => failure?.message ?? [])[0] ?? null;
    await endRun(session, run, { removed: this.#removed, passIds, error });
    this.#running = null;
  }
}
