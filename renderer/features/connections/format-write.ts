import { formatCount } from '../../i18n/format.ts';

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
const many = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** Describes the document or documents of a call: one by its id, several by their number. */
function whichDocuments(input: Fields): string {
  const { ids } = input;
  if (!Array.isArray(ids)) return 'all documents that match the filter';
  return ids.length === 1 ? `the document ${text(ids[0])}` : many(ids.length, 'document');
}

function whatOfReaper(input: Fields): string {
  if (text(input.index) !== '') return `${text(input.index)} of ${text(input.collection)}`;
  return text(input.collection) === '' ? 'the whole store' : text(input.collection);
}

/** By procedure. Others are described by the contract's summary. */
const DESCRIPTIONS: Readonly<Record<string, (input: Fields) => WriteDescription>> = {
  'documents.write': ({ params, body }) => {
    const count = Array.isArray(body) ? body.length : 1;
    return {
      sentence: `Write ${many(count, 'new document')} to ${text(fieldsOf(params).collection)}.`,
      button: 'Write',
    };
  },
  'documents.put': ({ params }) => {
    const { collection, id } = fieldsOf(params);
    return { sentence: `Write the document ${text(id)} of ${text(collection)}.`, button: 'Write' };
  },
  'documents.delete': ({ collection, id }) => ({
    sentence: `Delete the document ${text(id)} of ${text(collection)}.`,
    button: 'Delete',
  }),
  'documents.deleteMany': input => ({
    sentence: `Delete ${whichDocuments(input)} of ${text(input.collection)}.`,
    button: 'Delete',
  }),
  'documents.setExpirations': input => ({
    sentence: `${input.clear === true ? 'Clear' : 'Set'} the expiration of ${whichDocuments(input)} in ${text(input.collection)}.`,
    button: input.clear === true ? 'Clear' : 'Set',
  }),
  'collections.create': ({ name }) => ({
    sentence: `Create the collection ${text(name)}.`,
    button: 'Create',
  }),
  'collections.drop': ({ collection }) => ({
    sentence: `Drop the collection ${text(collection)}, with its documents and indexes.`,
    button: 'Drop',
  }),
  'ttlIndexes.create': ({ name, collection }) => ({
    sentence: `Create the TTL index ${text(name)} on ${text(collection)}: documents that are due by it are removed.`,
    button: 'Create',
  }),
  'ttlIndexes.update': ({ index, collection }) => ({
    sentence: `Change the TTL index ${text(index)} of ${text(collection)}.`,
    button: 'Change',
  }),
  'ttlIndexes.drop': ({ index, collection }) => ({
    sentence: `Drop the TTL index ${text(index)} of ${text(collection)}: its expiration stops.`,
    button: 'Drop',
  }),
  'ttlIndexes.revert': ({ index, collection }) => ({
    sentence: `Revert a change of the TTL index ${text(index)} of ${text(collection)}.`,
    button: 'Revert',
  }),
  'expired.restore': () => ({ sentence: 'Restore expired documents.', button: 'Restore' }),
  'expired.purge': () => ({
    sentence: 'Purge expired documents: copies and traces, permanently.',
    button: 'Purge',
  }),
  'settings.update': changes => ({
    sentence: `Change the setting ${Object.keys(changes).join(', ')}.`,
    button: 'Change',
  }),
  'tokens.create': ({ name, permission }) => ({
    sentence: `Create the token ${text(name)} with the permission ${text(permission)}.`,
    button: 'Create',
  }),
  'tokens.revoke': ({ name }) => ({ sentence: `Revoke the token ${text(name)}.`, button: 'Revoke' }),
  'reaper.pause': input => ({ sentence: `Pause removal in ${whatOfReaper(input)}.`, button: 'Pause' }),
  'reaper.resume': input => ({
    sentence: `Resume removal in ${whatOfReaper(input)}: overdue documents are removed.`,
    button: 'Resume',
  }),
  'reaper.run': input => ({ sentence: `Remove due documents in ${whatOfReaper(input)} now.`, button: 'Run' }),
  'reaper.confirm': input => ({
    sentence: `Confirm the hold of ${whatOfReaper(input)}: due documents are removed.`,
    button: 'Confirm',
  }),
  'store.loadSampleData': () => ({ sentence: 'Load the sample data.', button: 'Load' }),
  'imports.start': ({ subject, collection }) => ({
    sentence: `Import ${text(subject)} into ${text(collection)}.`,
    button: 'Import',
  }),
  'jobs.cancel': () => ({ sentence: 'Cancel a job; its changes so far are kept.', button: 'Cancel the job' }),
};

export function formatWrite(path: readonly string[], input: unknown, summary: string): WriteDescription {
  const describe = DESCRIPTIONS[path.join('.')];
  return describe === undefined ? { sentence: `${summary}.`, button: 'Continue' } : describe(fieldsOf(input));
}
