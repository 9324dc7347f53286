import { plural, t } from '@lingui/core/macro';

/** Describes a write before it is confirmed: a sentence, and the label of the button. */
export interface WriteDescription {
  sentence: string;
  button: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Describes the document or documents of a call: one by its id, several by their number. */
function whichDocuments(input: Fields): string {
  const { ids } = input;
  if (!Array.isArray(ids)) return t`all documents that match the filter`;
  return ids.length === 1
    ? t`the document ${text(ids[0])}`
    : plural(ids.length, { one: '# document', other: '# documents' });
}

function whatOfReaper(input: Fields): string {
  const index = text(input.index);
  const collection = text(input.collection);
  if (index !== '') return t`${index} of ${collection}`;
  return collection === '' ? t`the whole store` : collection;
}

/** By procedure. Others are described by the contract's summary. */
const DESCRIPTIONS: Readonly<Record<string, (input: Fields) => WriteDescription>> = {
  'documents.write': ({ params, body }) => {
    const count = Array.isArray(body) ? body.length : 1;
    return {
      sentence: t`Write ${plural(count, { one: '# new document', other: '# new documents' })} to ${text(fieldsOf(params).collection)}.`,
      button: t`Write`,
    };
  },
  'documents.put': ({ params }) => {
    const { collection, id } = fieldsOf(params);
    return { sentence: t`Write the document ${text(id)} of ${text(collection)}.`, button: t`Write` };
  },
  'documents.delete': ({ collection, id }) => ({
    sentence: t`Delete the document ${text(id)} of ${text(collection)}.`,
    button: t`Delete`,
  }),
  'documents.deleteMany': input => ({
    sentence: t`Delete ${whichDocuments(input)} of ${text(input.collection)}.`,
    button: t`Delete`,
  }),
  'documents.setExpirations': input => {
    const documents = whichDocuments(input);
    const collection = text(input.collection);
    return input.clear === true
      ? { sentence: t`Clear the expiration of ${documents} in ${collection}.`, button: t`Clear` }
      : { sentence: t`Set the expiration of ${documents} in ${collection}.`, button: t`Set` };
  },
  'jobs.undo': () => ({
    sentence: t`Set back the deadlines that the last change of many has changed.`,
    button: t`Undo`,
  }),
  'collections.create': ({ name }) => ({
    sentence: t`Create the collection ${text(name)}.`,
    button: t`Create`,
  }),
  'collections.drop': ({ collection }) => ({
    sentence: t`Drop the collection ${text(collection)}, with its documents and indexes.`,
    button: t`Drop`,
  }),
  'ttlIndexes.create': ({ name, collection }) => ({
    sentence: t`Create the TTL index ${text(name)} on ${text(collection)}: documents that are due by it are removed.`,
    button: t`Create`,
  }),
  'ttlIndexes.update': ({ index, collection }) => ({
    sentence: t`Change the TTL index ${text(index)} of ${text(collection)}.`,
    button: t`Change`,
  }),
  'ttlIndexes.drop': ({ index, collection }) => ({
    sentence: t`Drop the TTL index ${text(index)} of ${text(collection)}: its expiration stops.`,
    button: t`Drop`,
  }),
  'ttlIndexes.revert': ({ index, collection }) => ({
    sentence: t`Revert a change of the TTL index ${text(index)} of ${text(collection)}.`,
    button: t`Revert`,
  }),
  'policy.apply': () => ({ sentence: t`Change this store to match the policy.`, button: t`Apply` }),
  'expired.restore': () => ({ sentence: t`Restore expired documents.`, button: t`Restore` }),
  'expired.purge': () => ({
    sentence: t`Purge expired documents: copies and traces, permanently.`,
    button: t`Purge`,
  }),
  'settings.update': changes => ({
    sentence: t`Change the setting ${Object.keys(changes).join(', ')}.`,
    button: t`Change`,
  }),
  'tokens.create': ({ name, permission }) => ({
    sentence: t`Create the token ${text(name)} with the permission ${text(permission)}.`,
    button: t`Create`,
  }),
  'tokens.revoke': ({ name }) => ({ sentence: t`Revoke the token ${text(name)}.`, button: t`Revoke` }),
  'reaper.pause': input => ({ sentence: t`Pause removal in ${whatOfReaper(input)}.`, button: t`Pause` }),
  'reaper.resume': input => ({
    sentence: t`Resume removal in ${whatOfReaper(input)}: overdue documents are removed.`,
    button: t`Resume`,
  }),
  'reaper.run': input => ({
    sentence: t`Remove due documents in ${whatOfReaper(input)} now.`,
    button: t`Run`,
  }),
  'reaper.confirm': input => ({
    sentence: t`Confirm the hold of ${whatOfReaper(input)}: due documents are removed.`,
    button: t`Confirm`,
  }),
  'store.loadSampleData': () => ({ sentence: t`Load the sample data.`, button: t`Load` }),
  'imports.start': ({ subject, collection }) => ({
    sentence: t`Import ${text(subject)} into ${text(collection)}.`,
    button: t`Import`,
  }),
  'jobs.cancel': () => ({
    sentence: t`Cancel a job; its changes so far are kept.`,
    button: t`Cancel the job`,
  }),
};

export function formatWrite(path: readonly string[], input: unknown, summary: string): WriteDescription {
  const describe = DESCRIPTIONS[path.join('.')];
  return describe === undefined
    ? { sentence: `${summary}.`, button: t`Continue` }
    : describe(fieldsOf(input));
}
