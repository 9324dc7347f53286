import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { StoreSpace } from '../../../../shared/contract/live.ts';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { Settings } from '../../../../shared/contract/settings.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';

/**
 * What may be found out about a store: asked for at one moment, so that findings agree with one another. Where something
 * was not asked for, because nothing pointed to it, it is not in its map.
 */
export interface Facts {
  /** The engine's clock, and the machine's that shows this window. */
  now: number;
  windowNow: number;
  collections: readonly CollectionSummary[];
  reaper: ReaperState;
  settings: Settings;
  indexes: ReadonlyMap<string, readonly TtlIndex[]>;
  /** Of the next day. `series` is the collection. */
  cliffs: TimelineAnswer['cliffs'];
  /** How many documents a collection without TTL had, some time ago. */
  earlier: ReadonlyMap<string, Pick<SeriesPoint, 'at' | 'documents'>>;
  /** The last minutes of collections that are late. */
  recent: ReadonlyMap<string, readonly SeriesPoint[]>;
  /** How many documents each index acted on since it was made. */
  acted: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** Null: not known yet. */
  space: Pick<StoreSpace, 'logBytes' | 'retainedBytes'> | null;
}

/** `urgent`: something that was promised does not happen. `warning`: it soon may not. `note`: look once. */
export const SEVERITIES = ['urgent', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a button does at once; it can be undone, or is the person's own word. */
export type Act =
  | { is: 'confirm'; hold: string }
  | { is: 'resume'; collection: string | null; index: string | null }
  | { is: 'limit'; collection: string; index: string; before: number; perSecond: number };

/** A button: to the place where it is put right, or putting it right. */
export type Fix = { label: string } & ({ href: string } | { act: Act });

/** Whether only who may configure can do anything with it: what it does, or the form it leads to. */
export function needsConfigure(fix: Fix): boolean {
  return 'act' in fix || /\/ttl-indexes\/(new|edit)/.test(fix.href);
}

export interface Finding {
  /** The same finding has the same one each time, so that it can be dismissed. */
  id: string;
  severity: Severity;
  icon: IconName;
  /** Null: of the whole store. */
  collection: string | null;
  title: string;
  /** One sentence with numbers, and what to do about it. */
  sentence: string;
  todo: string;
  fixes: readonly [Fix, ...Fix[]];
  /** How bad it is, in its own measure: dismissed, it comes back when this has grown by half. */
  weight: number;
}

/** One kind of finding: what it makes of the facts. */
export type Finder = (facts: Facts) => readonly Finding[];
