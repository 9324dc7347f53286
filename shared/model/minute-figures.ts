/** One minute of the charts; shared/contract/metrics.ts describes each figure. */
export interface MinuteFigures {
  at: number;
  documents: number;
  withDeadline: number;
  overdue: number;
  written: number;
  removed: number;
  changed: number;
  quarantined: number;
  lagP50Ms: number | null;
  lagP99Ms: number | null;
  lagMaxMs: number | null;
  batchMaxMs: number | null;
}

/**
 * Merges two parts of one minute, for example when the store was closed and opened within it: events are added, states
 * are those of the later part, and the larger percentile is kept.
 */
export function mergePoints(earlier: MinuteFigures, later: MinuteFigures): MinuteFigures {
  return {
    at: earlier.at,
    documents: later.documents,
    withDeadline: later.withDeadline,
    overdue: later.overdue,
    written: earlier.written + later.written,
    removed: earlier.removed + later.removed,
    changed: earlier.changed + later.changed,
    quarantined: earlier.quarantined + later.quarantined,
    lagP50Ms: largest(earlier.lagP50Ms, later.lagP50Ms),
    lagP99Ms: largest(earlier.lagP99Ms, later.lagP99Ms),
    lagMaxMs: largest(earlier.lagMaxMs, later.lagMaxMs),
    batchMaxMs: largest(earlier.batchMaxMs, later.batchMaxMs),
  };
}

function largest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
