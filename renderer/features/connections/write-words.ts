import { formatCount } from '../../../shared/model/format.ts';

/** What is about to be written, as a question and as the button that does it. */
export interface WriteWords {
  says: string;
  button: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const many = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** The document or the documents that a call is about: one by its id, several by their number. */
function whichDocuments(input: Fields): string {
  const { ids } = input;
  if (!Array.isArray(ids)) return 'all documents that match the filter';
  return ids.length === 1 ? `the document ${text(ids[0])}` : many(ids.length, 'document');
}

function whatOfReaper(input: Fields): string {
  if (text(input.index) !== '') return `${text(input.index)} of ${text(input.collection)}`;
  return text(input.collection) === '' ? 'the whole store' : text(input.collection);
}

/** By procedure. What is not here is told in the contract's own words. */
const WORDS: Readonly<Record<string, (input: Fields) => WriteWords>> = {
  'documents.write': ({ params, body }) => {
    const count = Array.isArray(body) ? body.length : 1;
    return {
      says: `Write ${many(count, 'new document')} to ${text(fieldsOf(params).collection)}.`,
      button: 'Write',
    };
  },
  'documents.put': ({ params }) => {
    const { collection, id } = fieldsOf(params);
    return { says: `Write the document ${text(id)} of ${text(collection)}.`, button: 'Write' };
  },
  'documents.delete': ({ collection, id }) => ({
    says: `Delete the document ${text(id)} of ${text(collection)}, for good.`,
    button: 'Delete',
  }),
  'documents.deleteMany': input => ({
    says: `Delete ${whichDocuments(input)} of ${text(input.collection)}, for good.`,
    button: 'Delete',
  }),
  'documents.setExpirations': input => ({
    says: `${input.clear === true ? 'Clear' : 'Set'} the expiration of ${whichDocuments(input)} in ${text(input.collection)}.`,
    button: input.clear === true ? 'Clear' : 'Set',
  }),
  'collections.create': ({ name }) => ({ says: `Make the collection ${text(name)}.`, button: 'Make' }),
  'collections.drop': ({ collection }) => ({
    says: `Drop the collection ${text(collection)}, with its documents and indexes.`,
    button: 'Drop',
  }),
  'ttlIndexes.create': ({ name, collection }) => ({
    says: `Create the TTL index ${text(name)} on ${text(collection)}: what it makes due is removed.`,
    button: 'Create',
  }),
  'ttlIndexes.update': ({ index, collection }) => ({
    says: `Change the TTL index ${text(index)} of ${text(collection)}.`,
    button: 'Change',
  }),
  'ttlIndexes.drop': ({ index, collection }) => ({
    says: `Drop the TTL index ${text(index)} of ${text(collection)}: its deletes stop.`,
    button: 'Drop',
  }),
  'ttlIndexes.revert': ({ index, collection }) => ({
    says: `Put back what was before a change of the TTL index ${text(index)} of ${text(collection)}.`,
    button: 'Put back',
  }),
  'expired.restore': () => ({ says: 'Bring back what expired.', button: 'Restore' }),
  'expired.purge': () => ({
    says: 'Purge what expired: copies and traces of it, for good.',
    button: 'Purge',
  }),
  'settings.update': changes => ({
    says: `Change the setting ${Object.keys(changes).join(', ')}.`,
    button: 'Change',
  }),
  'tokens.create': ({ name, permission }) => ({
    says: `Make the token ${text(name)}, which may ${text(permission)}.`,
    button: 'Make',
  }),
  'tokens.revoke': ({ name }) => ({ says: `Revoke the token ${text(name)}.`, button: 'Revoke' }),
  'reaper.pause': input => ({ says: `Pause removal in ${whatOfReaper(input)}.`, button: 'Pause' }),
  'reaper.resume': input => ({
    says: `Resume removal in ${whatOfReaper(input)}: what is overdue leaves.`,
    button: 'Resume',
  }),
  'reaper.run': input => ({ says: `Remove what is due in ${whatOfReaper(input)} now.`, button: 'Run' }),
  'reaper.confirm': input => ({
    says: `End what is held in ${whatOfReaper(input)}: what is due leaves.`,
    button: 'Confirm',
  }),
  'store.loadSampleData': () => ({ says: 'Load the sample data.', button: 'Load' }),
  'imports.start': ({ subject, collection }) => ({
    says: `Import ${text(subject)} into ${text(collection)}.`,
    button: 'Import',
  }),
  'jobs.cancel': () => ({ says: 'Cancel a job; what it did stays done.', button: 'Cancel the job' }),
};

export function writeWords(path: readonly string[], input: unknown, summary: string): WriteWords {
  const words = WORDS[path.join('.')];
  return words === undefined ? { says: `${summary}.`, button: 'Go on' } : words(fieldsOf(input));
}
