import { plainNumber } from '../json/plain-number.ts';
import type { TtlIndexDefinition, TtlSource } from '../ttl-index.ts';

/**
 * A statement that creates the same index in another system; null if that system has no equivalent. `reason` explains
 * why, or what differs there [X5].
 */
export interface ForeignStatement {
  statement: string | null;
  reason: string | null;
}

/** The largest `expireAfterSeconds` of MongoDB. */
const MONGODB_LONGEST = 2 ** 31 - 1;

/** Row-level TTL: storage parameters of a table whose columns are the fields. */
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
            notes: ['Existing rows get their deadline by a rewrite of the table.'],
          };
    case 'expression':
      return { reason: 'Its expressions are SQL, not CEL: the expression has to be rewritten.' };
    case 'field': {
      const fields = [source.field, source.expireAfterField ?? ''];
      if (fields.some(field => field.includes('.')))
        return { reason: 'Its expressions read columns: a nested field would have to be a column.' };
      const reference = sqlName(source.field);
      // A sum of TIMESTAMPTZ and INTERVAL depends on the session's zone, which a TTL expression must not.
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
        notes: [`The column ${reference} has to be a TIMESTAMPTZ: text and numbers are not dates there.`],
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
    return impossible('Collections there cannot have this name.');
  if (!Number.isInteger(field.expireAfter) || field.expireAfter > MONGODB_LONGEST)
    return impossible(`expireAfterSeconds is a whole number of at most ${MONGODB_LONGEST}.`);
  const text = JSON.stringify;
  return {
    statement: `db.getCollection(${text(collection)}).createIndex({${text(field.path)}: 1}, {expireAfterSeconds: ${field.expireAfter}, name: ${text(name)}})`,
    reason:
      'Only BSON dates expire there: a document whose field is a number or text never expires. Documents are removed about a minute after their deadline.',
  };
}

/** A TTL index of ArangoDB, and of Macrometa, deletes documents by one attribute: text, or Unix time in seconds. */
export function asArangoDb(collection: string, definition: TtlIndexDefinition): ForeignStatement {
  const field = deletesByField(definition, 'ArangoDB');
  if ('reason' in field) return impossible(field.reason);
  if (field.unit === 'milliseconds')
    return impossible(
      'Numbers are seconds there: milliseconds would be dates tens of thousands of years ahead.',
    );
  const text = JSON.stringify;
  return {
    statement: `db._collection(${text(collection)}).ensureIndex({type: "ttl", name: ${text(definition.name)}, fields: [${text(field.path)}], expireAfter: ${plainNumber(field.expireAfter)}})`,
    reason:
      'A collection has at most one TTL index there, and documents are removed some time after their deadline.',
  };
}

/** Returns the field of the index and the duration added to it, or the reason why there is no equivalent. */
function deletesByField(
  { source, onExpire, schedule }: TtlIndexDefinition,
  system: string,
): { path: string; expireAfter: number; unit: string } | { reason: string } {
  if (onExpire.action !== 'delete') return { reason: `A TTL index of ${system} only deletes.` };
  if (schedule.mode === 'observe')
    return { reason: `A TTL index of ${system} acts as soon as it exists: it cannot only observe.` };
  switch (source.kind) {
    case 'lastModified':
      return {
        reason: `${system} does not record the last write: the application has to, in a field.`,
      };
    case 'expression':
      return { reason: `A TTL index of ${system} reads one field and evaluates nothing.` };
    case 'field':
      if (source.formats !== undefined)
        return { reason: `${system} has no date formats: write dates that it reads into the field.` };
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
