import { EXPLICIT } from '../../../../../../shared/model/ttl-index.ts';
import type { PassTrigger } from '../../../../expiry/expiry-store.ts';
import { hasSchedule, nextScheduled } from '../../../../expiry/schedule/ticks.ts';
import type { Session } from '../../connection/session.ts';
import type { LockHolder } from '../batches/batch.ts';
import { earliestDeadline } from '../batches/earliest-deadline.ts';
import type { ProtectedRows } from '../batches/protected-rows.ts';
import { type DeadlineSql, deadlineSql } from '../deadline/deadline-sql.ts';
import type { RowDefinition, TableDefinition } from '../definition.ts';
import { PartitionDrops } from '../partitions/partition-drops.ts';
import { isServedByIndex } from '../preview/index-advice.ts';
import { recordLook } from '../schema/definitions-table.ts';
import type { GovernedTable } from '../table-facts.ts';
import { ExplicitLap, type ExplicitSource } from './explicit-batch.ts';
import { IndexLap, KeyLap, type Lap } from './lap.ts';
import type { ServerNow } from './server-clock.ts';

/** A rule that makes rows of a table due, as the reaper acts on it: a TTL index, or the explicit expirations of a role. */
export interface ReapedSource {
  /** Unique, and stable while the definition is not changed. */
  readonly key: string;
  readonly table: GovernedTable;
  /** Name of the index, or `explicit`. */
  readonly name: string;
  readonly limits: RowDefinition['limits'];
  readonly trigger: PassTrigger;
  /** Due rows that a foreign key protects. */
  readonly protectedRows: ProtectedRows;
  /** Returns when to begin a lap, epoch ms by the server's clock; null: nothing will be due. */
  next(session: Session, now: ServerNow): Promise<number | null>;
  /** `isByHand`: a person started it, and pauses do not stop it [R6]. */
  lap(cutoff: string, options: { isByHand: boolean }): Lap;
  /** A lap took this long. */
  ended(session: Session, now: number, tookMs: number): Promise<void>;
  /** Removes what leaves as a whole. Returns the number of partitions, and of their rows by the server's statistics. */
  removePartitions(session: Session, now: ServerNow): Promise<{ partitions: number; rows: number }>;
}

const NO_PARTITIONS = { partitions: 0, rows: 0 };

const TRIGGERS = { exact: 'deadline', observe: 'deadline', every: 'interval', cron: 'cron' } as const;

/** Share of the time in which a table without an index on the deadline is read as a whole: a small one every second. */
const SHARE_OF_TIME = 0.02;
const LEAST_BETWEEN_SCANS_MS = 1_000;
/** Longest pause between two readings, unless one takes longer than that. */
const MOST_BETWEEN_SCANS_MS = 600_000;

interface SourceInput {
  table: GovernedTable;
  definition: TableDefinition;
  deadlines: DeadlineSql;
  archive: GovernedTable | null;
  holder: LockHolder;
  protectedRows: ProtectedRows;
  /** Null: no partition leaves as a whole. */
  drops: PartitionDrops | null;
}

/** Returns the source of a definition. Throws INVALID_TTL_INDEX where the table does not fit it any more. */
export async function definitionSource(
  session: Session,
  given: Omit<SourceInput, 'deadlines' | 'drops'>,
): Promise<ReapedSource> {
  const { table, definition } = given;
  const deadlines = await deadlineSql(session, table, definition.definition.source);
  const drops = await PartitionDrops.of(session, { ...given, deadlines });
  const input = { ...given, deadlines, drops };
  return (await isServedByIndex(session, table, deadlines))
    ? new IndexedSource(input)
    : new ScannedSource(input);
}

/** Key of the source of a definition. */
export function sourceKey({ id, revision }: TableDefinition): string {
  return `${id}.${revision}`;
}

abstract class DefinitionSource {
  readonly key: string;
  readonly table: GovernedTable;
  readonly name: string;
  readonly limits: RowDefinition['limits'];
  readonly trigger: PassTrigger;
  readonly protectedRows: ProtectedRows;
  protected readonly input: SourceInput;
  /** Last look of the schedule, epoch ms; and the one whose lap has not ended. */
  #lookedAt: number;
  #look: ServerNow | null = null;

  constructor(input: SourceInput) {
    const { definition } = input.definition;
    this.key = sourceKey(input.definition);
    this.table = input.table;
    this.name = definition.name;
    this.limits = definition.limits;
    this.trigger = TRIGGERS[definition.schedule.mode];
    this.protectedRows = input.protectedRows;
    this.input = input;
    this.#lookedAt = input.definition.lookedAt;
  }

  /** An instant at which it would act, in a schedule: at the next look, and nothing between two looks [R1]. */
  async next(session: Session, now: ServerNow): Promise<number | null> {
    if (!this.#isScheduled) return this.earliest(session, now.ms);
    if (!this.#isLook(now.ms)) return this.#nextLook;
    const earliest = await this.earliest(session, now.ms);
    this.#look = now;
    if (earliest !== null && earliest <= now.ms) return earliest;
    await this.#endLook(session);
    return this.#nextLook;
  }

  async ended(session: Session, now: number, tookMs: number): Promise<void> {
    this.lapEnded(now, tookMs);
    await this.#endLook(session);
  }

  /** Earliest deadline that may be acted on, epoch ms; null: there is none. */
  protected abstract earliest(session: Session, now: number): Promise<number | null>;

  protected lapEnded(_now: number, _tookMs: number): void {}

  /** A reaper that takes over before the end of a look repeats it. */
  async #endLook(session: Session): Promise<void> {
    if (this.#look === null) return;
    this.#lookedAt = this.#look.ms;
    await recordLook(session, this.input.definition, this.#look.text);
    this.#look = null;
  }

  get #isScheduled(): boolean {
    return hasSchedule(this.input.definition.definition);
  }

  get #nextLook(): number {
    return nextScheduled(this.input.definition.definition, this.#lookedAt + 1);
  }

  #isLook(now: number): boolean {
    return !this.#isScheduled || this.#nextLook <= now;
  }

  async removePartitions(session: Session, now: ServerNow): Promise<{ partitions: number; rows: number }> {
    if (!this.#isLook(now.ms)) return NO_PARTITIONS;
    return (await this.input.drops?.removePast(session, now)) ?? NO_PARTITIONS;
  }

  protected get except(): readonly number[] {
    return this.input.drops?.leaves ?? [];
  }
}

class IndexedSource extends DefinitionSource implements ReapedSource {
  protected async earliest(session: Session): Promise<number | null> {
    const earliest = await earliestDeadline(session, this.input, {
      except: this.except,
      skipped: this.protectedRows.skipped,
    });
    const known = [earliest?.at, this.input.drops?.nextAt].filter(at => at !== undefined && at !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  lap(cutoff: string, { isByHand }: { isByHand: boolean }): Lap {
    return new IndexLap({ ...this.input, cutoff, isByHand, except: this.except });
  }
}

class ScannedSource extends DefinitionSource implements ReapedSource {
  #nextScanAt = 0;

  protected async earliest(_session: Session, now: number): Promise<number> {
    return Math.max(now, this.#nextScanAt);
  }

  lap(cutoff: string, { isByHand }: { isByHand: boolean }): Lap {
    return new KeyLap({ ...this.input, cutoff, isByHand, except: this.except });
  }

  protected override lapEnded(now: number, tookMs: number): void {
    const pauseMs = Math.min(tookMs / SHARE_OF_TIME, Math.max(MOST_BETWEEN_SCANS_MS, tookMs));
    this.#nextScanAt = now + Math.max(LEAST_BETWEEN_SCANS_MS, pauseMs);
  }
}

/** Key of the source of a role's explicit expirations. */
export function explicitKey({ oid, ownerRole }: Pick<ExplicitSource, 'oid' | 'ownerRole'>): string {
  return `explicit.${oid}.${ownerRole}`;
}

/** Returns the source of explicit expirations. */
export function explicitSource(
  { oid, ownerRole, at }: ExplicitSource,
  table: GovernedTable,
  { holder, protectedRows }: { holder: LockHolder; protectedRows: ProtectedRows },
): ReapedSource {
  return {
    key: explicitKey({ oid, ownerRole }),
    table,
    name: EXPLICIT,
    limits: {},
    trigger: 'deadline',
    protectedRows,
    next: async () => at,
    lap: (cutoff, { isByHand }) =>
      new ExplicitLap({ table, ownerRole, holder, cutoff, isByHand, protectedRows }),
    async ended() {},
    removePartitions: async () => NO_PARTITIONS,
  };
}
