import type { Database } from 'better-sqlite3';
import { ExpiryCountsTable } from '../../../deadline-index/expiry-counts.ts';
import { MetricSeriesTable } from '../../../metric-series/metric-series-table.ts';
import { ChangeLog } from '../tables/change-log/change-log.ts';
import { DocumentImagesTable } from '../tables/change-log/document-images.ts';
import { LogImagesTable } from '../tables/change-log/log-images.ts';
import { CollectionNames } from '../tables/collection-names.ts';
import { CollectionsTable } from '../tables/collections.ts';
import { DroppedCollectionsTable } from '../tables/dropped-collections.ts';
import { FollowersTable } from '../tables/followers.ts';
import { HoldsTable } from '../tables/holds.ts';
import { PassesTable } from '../tables/passes.ts';
import { PolicyHistoryTable } from '../tables/policy-history.ts';
import { PurgeFollowersTable } from '../tables/purge-followers.ts';
import { PurgesTable } from '../tables/purges.ts';
import { Quarantine } from '../tables/quarantine.ts';
import type { ExpiredIntervals } from '../tables/removals/expired-intervals.ts';
import { ExpiredIntervalsTable } from '../tables/removals/expired-intervals-table.ts';
import { RemovalsTable } from '../tables/removals/removals.ts';
import { ScheduleTicksTable } from '../tables/schedule-ticks.ts';
import { SuccessorsTable } from '../tables/successors.ts';
import { TtlIndexesTable } from '../tables/ttl-indexes.ts';

/**
 * The tables that a store has once, each as an object of the file that owns it: no other file writes it. The statements
 * are prepared once, on the writer's connection.
 */
export class Tables {
  readonly collections: CollectionsTable;
  readonly ttlIndexes: TtlIndexesTable;
  readonly successors: SuccessorsTable;
  readonly scheduleTicks: ScheduleTicksTable;
  readonly holds: HoldsTable;
  readonly policyHistory: PolicyHistoryTable;
  readonly droppedCollections: DroppedCollectionsTable;
  readonly collectionNames: CollectionNames;
  readonly expiredIntervals: ExpiredIntervalsTable;
  readonly removals: RemovalsTable;
  readonly expiryCounts: ExpiryCountsTable;
  readonly quarantine: Quarantine;
  readonly passes: PassesTable;
  readonly log: ChangeLog;
  readonly logImages: LogImagesTable;
  readonly documentImages: DocumentImagesTable;
  readonly followers: FollowersTable;
  readonly purges: PurgesTable;
  readonly purgeFollowers: PurgeFollowersTable;
  readonly metricSeries: MetricSeriesTable;

  constructor(db: Database, intervals: ExpiredIntervals) {
    this.collections = new CollectionsTable(db);
    this.ttlIndexes = new TtlIndexesTable(db);
    this.successors = new SuccessorsTable(db);
    this.scheduleTicks = new ScheduleTicksTable(db);
    this.holds = new HoldsTable(db);
    this.policyHistory = new PolicyHistoryTable(db);
    this.droppedCollections = new DroppedCollectionsTable(db);
    this.collectionNames = new CollectionNames(db);
    this.expiredIntervals = new ExpiredIntervalsTable(db, intervals);
    this.removals = new RemovalsTable(db, this.expiredIntervals);
    this.expiryCounts = new ExpiryCountsTable(db);
    this.quarantine = new Quarantine(db);
    this.passes = new PassesTable(db);
    this.log = new ChangeLog(db, this.removals);
    this.logImages = new LogImagesTable(db);
    this.documentImages = new DocumentImagesTable(db);
    this.followers = new FollowersTable(db);
    this.purges = new PurgesTable(db);
    this.purgeFollowers = new PurgeFollowersTable(db);
    this.metricSeries = new MetricSeriesTable(db);
  }

  /** Counts lag from `at` on, the end of a pause or hold of one collection or, with null, of all [M1]. */
  resetLag(at: number, collection: number | null): void {
    this.ttlIndexes.resetLag(at, collection);
    this.collections.resetLag(at, collection);
  }
}
