import type { Limits, TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import type { EngineParameters, GovernedDefinition } from '../../../backend.ts';
import { quoteName } from '../../connection/quoting.ts';
import { invalid } from '../../governed/definition.ts';
import { intervalText, parseInterval, secondsOf } from './interval.ts';
import { tokensOf } from './sql-literal.ts';
import { DEFAULT_CRON, type TtlParameters, ttlParameters } from './ttl-parameters.ts';

/** A table has one TTL at most, which has no name of its own. */
export const TTL_NAME = 'row_level_ttl';
/** The hidden column that `ttl_expire_after` makes. */
export const EXPIRATION_COLUMN = 'crdb_internal_expiration';

/** Parameters that a TTL index has under their own names: the others are its source, schedule and limits. */
export const OWN_PARAMETERS = [
  'ttl_select_batch_size',
  'ttl_select_rate_limit',
  'ttl_row_stats_poll_interval',
  'ttl_label_metrics',
  'ttl_disable_changefeed_replication',
  'ttl_expire_after',
] as const satisfies readonly (keyof TtlParameters)[];

/** Returns the TTL of a table as a TTL index. */
export function definitionOf(ttl: TtlParameters): GovernedDefinition {
  const source = sourceOf(ttl);
  const { ttl_delete_rate_limit: rate, ttl_delete_batch_size: batch } = ttl;
  const own = OWN_PARAMETERS.flatMap(name => {
    const { [name]: value } = ttl;
    const isSource = name === 'ttl_expire_after' && source.kind === 'lastModified';
    return value === undefined || value === false || isSource ? [] : [[name, value] as const];
  });
  const limits: Limits = {
    ...(rate !== undefined && { removalsPerSecond: rate }),
    ...(batch !== undefined && { batchSize: batch }),
  };
  return {
    name: TTL_NAME,
    source,
    onExpire: { action: 'delete' },
    schedule: { mode: 'cron', cron: ttl.ttl_job_cron ?? DEFAULT_CRON, timeZone: 'UTC' },
    limits,
    retention: null,
    parameters: Object.fromEntries(own),
  };
}

/** An expression outranks `ttl_expire_after`, which then only maintains its column. */
function sourceOf({ ttl_expiration_expression: given, ttl_expire_after: after }: TtlParameters): TtlSource {
  const isColumn = given === undefined || given.trim() === EXPIRATION_COLUMN;
  const seconds = isColumn && after !== undefined ? secondsOf(after) : null;
  if (seconds !== null) return { kind: 'lastModified', expireAfter: seconds };
  const expression = given ?? EXPIRATION_COLUMN;
  return fieldOf(expression) ?? { kind: 'expression', expression };
}

const COLUMN = /(?<column>"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)/i;
const DURATION = /(?:INTERVAL\s+'(?<before>[^']+)'|'(?<after>[^']+)':{2,3}INTERVAL)/i;
const UTC = /AT\s+TIME\s+ZONE\s+'UTC'/i;
const part = ({ source }: RegExp) => source;
/** The expressions of `expressionOf`, also as the server writes them back. */
const FIELD_FORMS = [
  part(COLUMN),
  `${part(COLUMN)}::TIMESTAMP\\s+${part(UTC)}`,
  `\\(\\(?${part(COLUMN)}\\s+${part(UTC)}\\)?\\s*\\+\\s*${part(DURATION)}\\)\\s+${part(UTC)}`,
  `\\(${part(COLUMN)}::TIMESTAMP\\s*\\+\\s*${part(DURATION)}\\)\\s+${part(UTC)}`,
].map(form => new RegExp(`^${form}$`, 'i'));

/** Returns the source of an expression that is a column plus a duration; null: it is another one. */
function fieldOf(expression: string): TtlSource | null {
  for (const form of FIELD_FORMS) {
    const { column, before, after } = form.exec(expression.trim())?.groups ?? {};
    if (column === undefined || column.toLowerCase() === EXPIRATION_COLUMN) continue;
    const duration = before ?? after;
    const expireAfter = duration === undefined ? 0 : secondsOf(duration);
    if (expireAfter === null || expireAfter < 0) continue;
    const field = column.startsWith('"') ? column.slice(1, -1).replaceAll('""', '"') : column.toLowerCase();
    return { kind: 'field', field, unit: 'seconds', expireAfter };
  }
  return null;
}

/** Returns the source as an SQL expression of type TIMESTAMPTZ. Throws INVALID_TTL_INDEX. */
export function expressionOf(source: TtlSource, columns: readonly { name: string; type: string }[]): string {
  if (source.kind === 'expression') return checkedSql(source.expression);
  if (source.kind === 'lastModified') return EXPIRATION_COLUMN;
  if (source.expireAfter === undefined)
    throw invalid('A duration in another column is written as an SQL expression of both columns.');
  if (source.formats !== undefined)
    throw invalid('A text column is read by an SQL expression, not by formats.');
  const column = columns.find(({ name }) => name === source.field);
  if (column === undefined) throw invalid(`The table has no column ${source.field}.`);
  const isZoned = column.type.startsWith('timestamp with time zone');
  if (!isZoned && !/^(timestamp|date)\b/.test(column.type))
    throw invalid(
      `The column ${column.name} is of type ${column.type}. A deadline is read from a column of dates, or by an SQL expression.`,
    );
  const name = quoteName(column.name);
  if (source.expireAfter === 0) return isZoned ? name : `${name}::TIMESTAMP AT TIME ZONE 'UTC'`;
  const duration = `INTERVAL '${intervalText(source.expireAfter)}'`;
  // A sum of TIMESTAMPTZ and INTERVAL depends on the zone of the session; a sum of TIMESTAMP does not.
  return isZoned
    ? `((${name} AT TIME ZONE 'UTC') + ${duration}) AT TIME ZONE 'UTC'`
    : `(${name}::TIMESTAMP + ${duration}) AT TIME ZONE 'UTC'`;
}

/** Words that begin a query or a change: an expression of a row has none of them. */
const FORBIDDEN = /^(select|insert|update|upsert|delete|with|table|values|show|returning)$/i;

/**
 * Returns an expression that is one, as far as its text shows: the server judges the rest. Throws INVALID_TTL_INDEX for
 * a list, several statements, comments, subqueries, and quotes or parentheses that are not closed. @internal
 */
export function checkedSql(expression: string): string {
  let depth = 0;
  for (const { kind, text } of tokensOf(expression)) {
    const isQuery = kind === 'word' && FORBIDDEN.test(text);
    if (text === '(') depth++;
    if (text === ')') depth--;
    const isList = text === ',' && depth === 0;
    if (kind === 'comment' || isQuery || isList || depth < 0 || (kind === 'sign' && /[;'"$]/.test(text)))
      throw invalid(
        `“${text}” cannot be part of the expression: it is one SQL expression over the columns of a row.`,
      );
  }
  if (depth !== 0 || expression.trim() === '')
    throw invalid('The expression is not complete: it is one SQL expression over the columns of a row.');
  return expression;
}

/**
 * Returns the parameters of a definition. What `before` has in other words stays as it is: a pause, and an expression that
 * means the same. Throws INVALID_TTL_INDEX for what row-level TTL does not have.
 */
export function parametersOf(
  definition: GovernedDefinition,
  columns: readonly { name: string; type: string }[],
  before: TtlParameters | null,
): TtlParameters {
  const { source, limits } = definition;
  const own = ownParameters(definition.parameters ?? {});
  const isSame = before !== null && JSON.stringify(sourceOf(before)) === JSON.stringify(source);
  const { ttl_expiration_expression: expression, ttl_expire_after: after } = before ?? {};
  const ofSource: TtlParameters = isSame
    ? {
        ttl_expiration_expression: expression,
        ttl_expire_after: source.kind === 'lastModified' ? after : own.ttl_expire_after,
      }
    : source.kind === 'lastModified'
      ? { ttl_expire_after: positive(source.expireAfter) }
      : { ttl_expiration_expression: expressionOf(source, columns), ttl_expire_after: own.ttl_expire_after };
  return ttlParameters.parse({
    ...own,
    ...ofSource,
    ttl_job_cron: cronOf(definition),
    ttl_delete_rate_limit:
      limits.removalsPerSecond === undefined ? undefined : Math.ceil(limits.removalsPerSecond),
    ttl_delete_batch_size: limits.batchSize,
    ttl_pause: before?.ttl_pause,
  });
}

function positive(seconds: number): string {
  if (seconds < 0.000_001) throw invalid('ttl_expire_after is at least a microsecond.');
  return intervalText(seconds);
}

/** Throws INVALID_TTL_INDEX for what row-level TTL does not have. */
function cronOf({ name, onExpire, schedule, limits, retention }: GovernedDefinition): string {
  if (name !== TTL_NAME)
    throw invalid(`A table of CockroachDB has one TTL, which is named ${TTL_NAME} here.`);
  if (onExpire.action !== 'delete') throw invalid('Row-level TTL of CockroachDB only deletes.');
  if (schedule.mode !== 'cron')
    throw invalid(
      `Row-level TTL of CockroachDB runs as a job by a crontab line. Give schedule {"mode": "cron", "cron": "${DEFAULT_CRON}"}.`,
    );
  if (schedule.timeZone !== 'UTC') throw invalid('The crontab line of a TTL job is in UTC.');
  const parts = schedule.cron.trim().split(/\s+/);
  if (parts.length !== 5 && !schedule.cron.trim().startsWith('@'))
    throw invalid('ttl_job_cron has five parts: minute, hour, day of month, month and day of week.');
  if (limits.batchMs !== undefined) throw invalid('CockroachDB limits its batches by rows, not by time.');
  if (limits.batchSize === 0) throw invalid('ttl_delete_batch_size is at least 1.');
  if (retention !== null) throw invalid('CockroachDB keeps no copies of removed rows.');
  return schedule.cron.trim();
}

/** Throws INVALID_TTL_INDEX for an unknown name or a value of another type. */
function ownParameters(given: EngineParameters): TtlParameters {
  const unknown = Object.keys(given).find(name => !OWN_PARAMETERS.some(own => own === name));
  if (unknown !== undefined)
    throw invalid(`${unknown} is none of the parameters ${OWN_PARAMETERS.join(', ')}.`);
  const { data, error } = ttlParameters.safeParse(given);
  if (data === undefined)
    throw invalid(`${error.issues[0]?.path.join('.') ?? ''}: ${error.issues[0]?.message ?? ''}`);
  const { ttl_select_batch_size: batch, ttl_row_stats_poll_interval: poll, ttl_expire_after: after } = data;
  if (batch === 0) throw invalid('ttl_select_batch_size is at least 1.');
  for (const interval of [poll, after])
    if (interval !== undefined && parseInterval(interval) === null)
      throw invalid(`“${interval}” is no interval, such as “10 minutes”.`);
  return data;
}
