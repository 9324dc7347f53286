import { z } from 'zod';
import { quoteTable, type TableName } from '../../connection/quoting.ts';
import { quoteText } from '../../governed/sql-text.ts';
import { parseInterval } from './interval.ts';
import { literalText, splitList } from './sql-literal.ts';

const text = z.string().optional();
const count = z.int().min(0).optional();
const flag = z.boolean().optional();

/** The storage parameters of row-level TTL, by their names in CockroachDB. An absent one has the cluster's default. */
export const ttlParameters = z.object({
  ttl_expiration_expression: text,
  /** An interval, as the server writes it. */
  ttl_expire_after: text,
  ttl_job_cron: text,
  ttl_select_batch_size: count,
  ttl_delete_batch_size: count,
  /** Rows per second and node; 0: no limit. */
  ttl_select_rate_limit: count,
  ttl_delete_rate_limit: count,
  ttl_pause: flag,
  ttl_label_metrics: flag,
  /** An interval, as the server writes it. */
  ttl_row_stats_poll_interval: text,
  ttl_disable_changefeed_replication: flag,
});
export type TtlParameters = Readonly<z.infer<typeof ttlParameters>>;
export type TtlParameter = keyof TtlParameters;
const TTL_PARAMETERS: readonly TtlParameter[] = ttlParameters.keyof().options;

type Kind = 'text' | 'interval' | 'cron' | 'count' | 'flag';
type Value = string | number | boolean | undefined;

/** How the value of a parameter is written and compared. */
const KINDS: Readonly<Record<TtlParameter, Kind>> = {
  ttl_expiration_expression: 'text',
  ttl_expire_after: 'interval',
  ttl_job_cron: 'cron',
  ttl_select_batch_size: 'count',
  ttl_delete_batch_size: 'count',
  ttl_select_rate_limit: 'count',
  ttl_delete_rate_limit: 'count',
  ttl_pause: 'flag',
  ttl_label_metrics: 'flag',
  ttl_row_stats_poll_interval: 'interval',
  ttl_disable_changefeed_replication: 'flag',
};

/** The cluster's default of `ttl_job_cron`. */
export const DEFAULT_CRON = '@daily';

/**
 * Reads the parameters of a table from `pg_class.reloptions`: `ttl='on'`, `ttl_expire_after='00:10:00':::INTERVAL`. Null: the
 * table has no TTL. Other parameters, as those of later versions, are left out, and never changed.
 */
export function readReloptions(reloptions: readonly string[]): TtlParameters | null {
  const pairs = reloptions.map(option => {
    const end = option.indexOf('=');
    return [option.slice(0, end).trim(), option.slice(end + 1)] as const;
  });
  return readPairs(pairs);
}

/** Reads the list of `WITH (…)` in the answer of SHOW CREATE TABLE, or of `SET (…)`; without its parentheses. @internal */
export function readParameterList(list: string): TtlParameters | null {
  return readReloptions(splitList(list));
}

function readPairs(pairs: readonly (readonly [name: string, literal: string])[]): TtlParameters | null {
  const found = pairs.flatMap(([name, literal]) => {
    const parameter = TTL_PARAMETERS.find(known => known === name);
    if (parameter === undefined) return [];
    const value = readValue(KINDS[parameter], literalText(literal));
    return value === null ? [] : [[parameter, value] as const];
  });
  const parameters = ttlParameters.parse(Object.fromEntries(found));
  return parameters.ttl_expiration_expression === undefined && parameters.ttl_expire_after === undefined
    ? null
    : parameters;
}

/** Null: a flag that is off, which is the default. */
function readValue(kind: Kind, text: string): string | number | boolean | null {
  switch (kind) {
    case 'flag':
      return /^(true|on|t|yes|1)$/i.test(text) ? true : null;
    case 'count':
      return Number(text);
    default:
      return text;
  }
}

/**
 * Returns the statements that give a table the parameters `after`; `before` null: it has no TTL. None: nothing changes. Two
 * statements, of which SET is the first one, since CockroachDB refuses two changes of a TTL in one, and a TTL without a source.
 */
export function ttlStatements(
  table: TableName,
  before: TtlParameters | null,
  after: TtlParameters,
): string[] {
  const present = before ?? {};
  const changed = TTL_PARAMETERS.filter(name => !isSameValue(KINDS[name], present[name], after[name]));
  const set = changed.flatMap(name => (isSet(after[name]) ? [`${name} = ${writeValue(after[name])}`] : []));
  const reset = changed.filter(name => !isSet(after[name]));
  const alter = `ALTER TABLE ${quoteTable(table)}`;
  return [
    ...(set.length === 0 ? [] : [`${alter} SET (${set.join(', ')})`]),
    ...(reset.length === 0 ? [] : [`${alter} RESET (${reset.join(', ')})`]),
  ];
}

/** Returns the statement that ends the TTL of a table. It drops the column that `ttl_expire_after` made. */
export function dropTtlStatement(table: TableName): string {
  return `ALTER TABLE ${quoteTable(table)} RESET (ttl)`;
}

/** A flag that is off is the default. */
function isSet(value: Value): value is string | number | true {
  return value !== undefined && value !== false;
}

function writeValue(value: string | number | true): string {
  return typeof value === 'string' ? quoteText(value).trim() : String(value);
}

/** Whether two values are the same to the server, which writes an interval in its own way. */
function isSameValue(kind: Kind, a: Value, b: Value): boolean {
  if (kind === 'cron') return (a ?? DEFAULT_CRON) === (b ?? DEFAULT_CRON);
  if (kind === 'flag') return (a ?? false) === (b ?? false);
  if (kind !== 'interval' || typeof a !== 'string' || typeof b !== 'string') return a === b;
  return JSON.stringify(parseInterval(a) ?? a) === JSON.stringify(parseInterval(b) ?? b);
}
