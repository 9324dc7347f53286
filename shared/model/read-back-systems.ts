import { plainNumber } from './json/plain-number.ts';
import type { TtlIndexDefinition, TtlSource } from './ttl-index.ts';

/**
 * What makes the same in another system; null where it has no such thing. `reason` says why, or what is different
 * there although it can be said [X5].
 */
export interface ForeignStatement {
  statement: string | null;
  reason: string | null;
}

/** The largest `expireAfterSeconds` MongoDB takes. */
const MONGODB_LONGEST = 2 ** 31 - 1;

/** Row-level TTL is storage parameters of a table, whose columns are the fields. */
export function asCockroachDb(collection: string, definition: TtlIndexDefinition): ForeignStatement {
  const { source, onExpire, schedule, limits } = definition;
  if (onExpire.action !== 'delete') return impossible('Row-level TTL only deletes.');
  const deadline = cockroachDeadline(source);
  if ('reason' in deadline) return impossible(deadline.reason);
  const notes = [...deadline.notes];
  const parameters = [deadline.parameter];
  if (schedule.mode === 'observe') parameters.push('ttl_pause = true');
  if (schedule.mode === 'cron' && schedule.cron.trim().split(/\s+/).length === 5) {
    parameters.push(`ttl_job_cron = ${sqlText(schedule.cron)}`);
    if (schedule.timeZone !== 'UTC') notes.push(`Its cron runs in UTC, not in ${schedule.timeZone}.`);
  } else if (schedule.mode !== 'observe')
    notes.push('Rows are deleted by a job that runs by a cron of five fields, not at their deadline.');
  const { removalsPerSecond, batchSize } = limits;
  if (removalsPerSecond !== undefined)
    parameters.push(`ttl_delete_rate_limit = ${Math.ceil(removalsPerSecond)}`);
  if (batchSize !== undefined && batchSize > 0) parameters.push(`ttl_delete_batch_size = ${batchSize}`);
  return {
    statement: `ALTER TABLE ${sqlName(collection)} SET (${parameters.join(', ')});`,
    reason: notes.length === 0 ? null : notes.join(' '),
  };
}

function cockroachDeadline(source: TtlSource): { parameter: string; notes: string[] } | { reason: string } {
  switch (source.kind) {
    case 'lastModified':
      return source.expireAfter < 0.000001
        ? { reason: 'ttl_expire_after is at least a microsecond.' }
        : {
            parameter: `ttl_expire_after = ${sqlText(`${plainNumber(source.expireAfter)} seconds`)}`,
            notes: ['Rows that are there already get their deadline by a rewrite of the table.'],
          };
    case 'expression':
      return { reason: 'Its expression is SQL, where ours is CEL: it has to be written anew.' };
    case 'field': {
      const fields = [source.field, source.expireAfterField ?? ''];
      if (fields.some(field => field.includes('.')))
        return { reason: 'An expression there reads columns: a field inside another would have to be one.' };
      const reference = sqlName(source.field);
      // A sum of TIMESTAMPTZ and INTERVAL depends on the session's zone, which no TTL may.
      const sum = (interval: string) =>
        `((${reference} AT TIME ZONE 'UTC') + ${interval}) AT TIME ZONE 'UTC'`;
      const expression =
        source.expireAfterField !== undefined
          ? sum(`${sqlName(source.expireAfterField)} * INTERVAL '1 second'`)
          : source.expireAfter === 0
            ? reference
            : sum(`INTERVAL '${plainNumber(source.expireAfter)} seconds'`);
      return {
        parameter: `ttl_expiration_expression = ${sqlText(expression)}`,
        notes: [`The column ${reference} has to be a TIMESTAMPTZ: text and numbers are no time there.`],
      };
    }
  }
}

/** A TTL index of MongoDB deletes documents by one field of BSON dates. */
export function asMongoDb(collection: string, definition: TtlIndexDefinition): ForeignStatement {
  const field = deletesByField(definition, 'MongoDB');
  if ('reason' in field) return impossible(field.reason);
  const { name } = definition;
  if (field.path.split('.').some(step => step.startsWith('$')))
    return impossible('A field that begins with $ cannot be indexed there.');
  if (collection.includes('$') || collection.startsWith('system.'))
    return impossible('No collection there may have this name.');
  if (!Number.isInteger(field.expireAfter) || field.expireAfter > MONGODB_LONGEST)
    return impossible(`expireAfterSeconds is a whole number of at most ${MONGODB_LONGEST}.`);
  const text = JSON.stringify;
  return {
    statement: `db.getCollection(${text(collection)}).createIndex({${text(field.path)}: 1}, {expireAfterSeconds: ${field.expireAfter}, name: ${text(name)}})`,
    reason:
      'Only BSON dates expire there: a document whose field is a number or text stays for ever. Documents go within a minute or so of their deadline.',
  };
}

/** A TTL index of ArangoDB, and of Macrometa, deletes documents by one attribute: text, or Unix time in seconds. */
export function asArangoDb(collection: string, definition: TtlIndexDefinition): ForeignStatement {
  const field = deletesByField(definition, 'ArangoDB');
  if ('reason' in field) return impossible(field.reason);
  if (field.unit === 'milliseconds')
    return impossible('Numbers are seconds there: milliseconds lie tens of thousands of years ahead.');
  const text = JSON.stringify;
  return {
    statement: `db._collection(${text(collection)}).ensureIndex({type: "ttl", name: ${text(definition.name)}, fields: [${text(field.path)}], expireAfter: ${plainNumber(field.expireAfter)}})`,
    reason: 'A collection has at most one TTL index there, and documents go some time after their deadline.',
  };
}

/** The one field that decides and what is added to it; or why there is no such thing. */
function deletesByField(
  { source, onExpire, schedule }: TtlIndexDefinition,
  system: string,
): { path: string; expireAfter: number; unit: string } | { reason: string } {
  if (onExpire.action !== 'delete') return { reason: `A TTL index of ${system} only deletes.` };
  if (schedule.mode === 'observe')
    return { reason: `A TTL index of ${system} acts from the moment it is made: it cannot only observe.` };
  switch (source.kind) {
    case 'lastModified':
      return {
        reason: `${system} keeps no time of the last write: the application has to, in a field of its own.`,
      };
    case 'expression':
      return { reason: `A TTL index of ${system} reads one field and evaluates nothing.` };
    case 'field':
      return source.expireAfterField === undefined
        ? { path: source.field, expireAfter: source.expireAfter, unit: source.unit }
        : {
            reason: `${system} adds the same to every document: write the sum into a field, and expire after 0 seconds.`,
          };
  }
}

function impossible(reason: string): ForeignStatement {
  return { statement: null, reason };
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
