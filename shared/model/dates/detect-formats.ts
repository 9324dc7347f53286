import { prepareFormats } from './date-formats.ts';
import { parseDateString } from './date-string.ts';
import { ISO } from './format-list.ts';
import { patternsLike, timePattern } from './value-shapes.ts';

/** Formats that read values of a field, to be offered to a person. */
export interface FormatOffer {
  /** Tried in order. */
  formats: string[];
  /** Number of the values that the formats read. */
  values: number;
  /**
   * Null: no other format fits. `order`: the order of day and month is ambiguous. `year`: years have two digits. An
   * ambiguous offer is never chosen without a person.
   */
  doubt: 'order' | 'year' | null;
  /** A value, and its instant if the assumed zone is UTC, epoch ms. */
  example: string;
  exampleAt: number;
  /** The earliest and latest instant of the values read, epoch ms. */
  earliestAt: number;
  latestAt: number;
}

/** Patterns that one field may be written in. */
const MOST_PATTERNS = 24;
const MOST_TOGETHER = 4;
/** An offer reads at least this share of the values. */
const LEAST_SHARE = 0.1;
/** Years outside which a number is unlikely to be a date: logs contain numbers that resemble dates. */
const PLAUSIBLE = { from: Date.UTC(1970, 0, 1), before: Date.UTC(2100, 0, 1) };

interface Candidate {
  pattern: string;
  /** Instants by position in the values; null: not read. */
  instants: readonly (number | null)[];
  values: number;
  doubt: FormatOffer['doubt'];
}

/** Returns formats that read the values: first one offer with all certain formats, then each ambiguous format. */
export function detectFormats(values: readonly string[]): FormatOffer[] {
  const groups = new Map<string, readonly string[]>();
  for (const value of values) {
    if (groups.size === MOST_PATTERNS) break;
    const patterns = parseDateString(value) === null ? patternsLike(value) : [ISO];
    if (patterns.length > 0) groups.set(patterns.join('\n'), patterns);
  }
  const patterns = new Set([...groups.values()].flat());
  const candidates = new Map([...patterns].map(pattern => [pattern, candidateOf(pattern, values)] as const));
  for (const group of groups.values())
    settleOrder([...candidates.values()].filter(({ pattern }) => group.includes(pattern)));
  const read = [...candidates.values()].filter(({ values: count }) => count > 0);
  const certain = covering(read.filter(({ doubt }) => doubt === null));
  const left = values.map((_, i) => certain.every(({ instants }) => instants[i] === null));
  const doubtful = read
    .filter(
      ({ doubt, instants }) => doubt !== null && instants.some((at, i) => at !== null && left[i] === true),
    )
    .sort((a, b) => b.values - a.values);
  const isOffered = ({ formats, values: count }: FormatOffer) =>
    count >= LEAST_SHARE * values.length && !(formats.length === 1 && formats[0] === ISO);
  return [certain, ...doubtful.map(one => [one])]
    .flatMap(together => offerOf(together, values))
    .filter(isOffered)
    .slice(0, MOST_TOGETHER);
}

function candidateOf(pattern: string, values: readonly string[]): Candidate {
  const prepared = prepareFormats({ formats: [pattern] });
  const instants = values.map(value => {
    const at = 'problem' in prepared ? null : prepared.read(value);
    return at !== null && at >= PLAUSIBLE.from && at < PLAUSIBLE.before ? at : null;
  });
  const isShortYear = pattern !== ISO && /(?<!y)yy(?!y)/.test(pattern);
  return {
    pattern,
    instants,
    values: instants.filter(at => at !== null).length,
    doubt: isShortYear ? 'year' : null,
  };
}

/**
 * Patterns may differ only in the order of their numbers: one of them is certain if it reads all values of the others and
 * further values: a day above 12 shows the order.
 */
function settleOrder(group: Candidate[]): void {
  for (const candidate of group) {
    const isProven = group.every(
      other =>
        other === candidate ||
        (other.values < candidate.values &&
          other.instants.every((at, i) => at === null || candidate.instants[i] !== null)),
    );
    if (isProven) {
      for (const other of group) if (other !== candidate) other.values = 0;
      return;
    }
  }
  for (const candidate of group) candidate.doubt ??= 'order';
}

/**
 * Returns up to `MOST_TOGETHER` patterns, the most frequent first; each reads values that those before it do not read.
 */
function covering(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  const sorted = [...candidates].sort((a, b) => b.values - a.values);
  for (const candidate of sorted) {
    const adds = candidate.instants.some(
      (at, i) => at !== null && chosen.every(({ instants }) => instants[i] === null),
    );
    if (adds && chosen.length < MOST_TOGETHER) chosen.push(candidate);
  }
  return chosen;
}

/** Returns nothing if the candidates read no value. */
function offerOf(candidates: readonly Candidate[], values: readonly string[]): FormatOffer[] {
  const read = values.flatMap((value, i) => {
    const [at] = candidates.flatMap(({ instants }) => instants[i] ?? []);
    return at === undefined ? [] : [{ value, at }];
  });
  const [first] = read;
  if (first === undefined) return [];
  const instants = read.map(({ at }) => at);
  return [
    {
      formats: candidates.map(({ pattern }) => pattern),
      values: read.length,
      doubt: candidates.find(({ doubt }) => doubt !== null)?.doubt ?? null,
      example: first.value,
      exampleAt: first.at,
      earliestAt: instants.reduce((a, b) => Math.min(a, b)),
      latestAt: instants.reduce((a, b) => Math.max(a, b)),
    },
  ];
}

/** Returns the pattern of values that are times of day without a date; null if not all of them are. */
export function detectTimeOfDay(values: readonly string[]): string | null {
  const [first] = values;
  if (first === undefined) return null;
  const pattern = timePattern(first);
  // Any number of digits is read as a fraction.
  const shape = (value: string) => timePattern(value)?.replace(/S+/, '');
  return pattern !== null && values.every(value => shape(value) === shape(first)) ? pattern : null;
}
