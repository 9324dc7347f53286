import type { TimeUnit } from '../../../../../../shared/model/reference-time.ts';
import { quoteText } from '../sql-text.ts';

/**
 * How values of one type are read as instants [D3, D4]. Values out of the range from 1970 to 9999, ±infinity among them, are
 * no instants [D5]. All parts are SQL, of SQL.
 */
export interface InstantReading {
  /** First value that is an instant, and the first after all that are. */
  readonly lowest: string;
  readonly beyond: string;
  /** The instant of a value within this range, as timestamptz. */
  instantOf(value: string): string;
  /**
   * The largest value whose instant is at most `instant`, to be compared with a column, so that its index serves. If
   * `isExact` is false, values up to it may have a later instant, and have to be compared as instants too.
   */
  valueAt(instant: string): string;
  readonly isExact: boolean;
  /** Why a value outside of the range is no instant [D4, D5]. */
  readonly refused: 'out of range' | 'wrong unit suspected';
}

const INTEGERS = ['smallint', 'integer', 'bigint'];
const NUMBERS = [...INTEGERS, 'numeric', 'real', 'double precision'];

export interface ReadingOptions {
  unit: TimeUnit;
  /** Zone of values without one. */
  zone?: string | undefined;
}

/** Returns how values of a type are read; null: they are no instants. */
export function readingOf(type: string, { unit, zone = 'UTC' }: ReadingOptions): InstantReading | null {
  if (type === 'timestamp with time zone') return TIMESTAMPTZ;
  if (type === 'timestamp without time zone') return timestampIn(zone);
  if (type === 'date') return dateIn(zone);
  return NUMBERS.includes(type) ? numberOf(type, unit) : null;
}

const TIMESTAMPTZ: InstantReading = {
  lowest: "timestamptz '1970-01-01 00:00:00+00'",
  beyond: "timestamptz '10000-01-01 00:00:00+00'",
  instantOf: value => value,
  valueAt: instant => instant,
  isExact: true,
  refused: 'out of range',
};

/** In the hour that a zone repeats, a later time of day is not always a later instant. */
function timestampIn(zone: string): InstantReading {
  const isUtc = zone === 'UTC';
  const local = (instant: string) => `(${instant} AT TIME ZONE ${quoteText(zone)})`;
  return {
    lowest: "timestamp '1970-01-01'",
    beyond: "timestamp '10000-01-01'",
    instantOf: value => `(${value} AT TIME ZONE ${quoteText(zone)})`,
    valueAt: instant => (isUtc ? local(instant) : `(${local(instant)} + interval '1 hour')`),
    isExact: isUtc,
    refused: 'out of range',
  };
}

function dateIn(zone: string): InstantReading {
  return {
    lowest: "date '1970-01-01'",
    beyond: "date '10000-01-01'",
    instantOf: value => `(${value}::timestamp AT TIME ZONE ${quoteText(zone)})`,
    valueAt: instant => `(${instant} AT TIME ZONE ${quoteText(zone)})::date`,
    isExact: zone === 'UTC',
    refused: 'out of range',
  };
}

/** Numbers in the range of the other unit are none of this one [D4]. */
const RANGE = {
  seconds: { lowest: '0', beyond: '100000000000', perSecond: 1 },
  milliseconds: { lowest: '100000000000', beyond: '253402300800000', perSecond: 1000 },
} as const;

function numberOf(type: string, unit: TimeUnit): InstantReading {
  const { lowest, beyond, perSecond } = RANGE[unit];
  const number = (instant: string) => `extract(epoch FROM ${instant}) * ${perSecond}`;
  return {
    lowest,
    beyond,
    instantOf: value => `to_timestamp(${value}::double precision / ${perSecond})`,
    valueAt: instant => {
      // An index on integers serves no comparison with a numeric.
      if (INTEGERS.includes(type)) return `floor(${number(instant)})::bigint`;
      return type === 'numeric' ? `(${number(instant)})` : `(${number(instant)})::double precision`;
    },
    isExact: INTEGERS.includes(type),
    refused: 'wrong unit suspected',
  };
}
