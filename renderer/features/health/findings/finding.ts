import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { StoreSpace } from '../../../../shared/contract/live.ts';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import type { PolicyDiff } from '../../../../shared/contract/policy.ts';
import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { Settings } from '../../../../shared/contract/settings.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import type { Words } from '../../../i18n/format-engine-words.ts';

/** Facts about a store from which findings are computed, read at one time. Maps hold only entries that were read. */
export interface Facts {
  /** The engine's clock, and the clock of the machine that shows this window, epoch ms. */
  now: number;
  windowNow: number;
  collections: readonly CollectionSummary[];
  /** The engine's words for documents and collections; absent: those of Sandglass's own store. */
  words?: Words;
  reaper: ReaperState;
  settings: Settings;
  indexes: ReadonlyMap<string, readonly TtlIndex[]>;
  /** Cliffs of the next day. `series` is the collection. */
  cliffs: TimelineAnswer['cliffs'];
  /** An earlier count of documents of collections without TTL. */
  earlier: ReadonlyMap<string, Pick<SeriesPoint, 'at' | 'documents'>>;
  /**
   * End of the last import into a collection, or the present instant while one runs; only imports known to the engine.
   */
  importedAt: ReadonlyMap<string, number>;
  /** The last minutes of collections that are overdue. */
  recent: ReadonlyMap<string, readonly SeriesPoint[]>;
  /** Number of documents that each index acted on since it was created. */
  acted: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** Differences from the expected policy; null: there is none. */
  drift: Pick<PolicyDiff, 'drift' | 'driftCount'> | null;
  /** Null: not known yet. */
  space: Pick<StoreSpace, 'logBytes' | 'retainedBytes'> | null;
}

/** `urgent`: an expiry or a guarantee fails. `warning`: it soon may. `note`: for information. */
export const SEVERITIES = ['urgent', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An action of a button; it can be undone, or is confirmed first. */
export type FindingAction =
  | { is: 'confirm'; hold: string }
  | { is: 'resume'; collection: string | null; index: string | null }
  | { is: 'limit'; collection: string; index: string; before: number; perSecond: number };

/** A button: a link to the place where the problem can be fixed, or an action that fixes it. */
export type Fix = { label: string } & ({ href: string } | { action: FindingAction });

/** Returns whether a fix requires the permission `configure`, for its action or for the linked form. */
export function needsConfigure(fix: Fix): boolean {
  return 'action' in fix || /\/ttl-indexes\/(new|edit)/.test(fix.href);
}

export interface Finding {
  /** An id that is equal each time the finding is computed, so that the finding can be dismissed. */
  id: string;
  severity: Severity;
  icon: IconName;
  /** Null: the whole store. */
  collection: string | null;
  title: string;
  /** A sentence with numbers, and the advice. */
  sentence: string;
  todo: string;
  fixes: readonly [Fix, ...Fix[]];
  /** Severity in a measure of the finding's kind: a dismissed finding is shown again when this has grown by half. */
  weight: number;
}

/** Computes one kind of finding. */
export type Finder = (facts: Facts) => readonly Finding[];
