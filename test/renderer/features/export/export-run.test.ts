import { describe, expect, it } from 'vitest';
import {
  type ExportFormat,
  type ExportPlan,
  fileNameOf,
  scopesOf,
} from '../../../../renderer/features/export/export-plan.ts';
import {
  type ExportProgress,
  type Pages,
  runExport,
} from '../../../../renderer/features/export/export-run.ts';

const plan = (format: ExportFormat): ExportPlan => ({
  collection: 'people',
  scope: 'all',
  format,
  deadlines: false,
  formulasAsText: false,
  includeExpired: false,
  filter: null,
  ids: null,
  total: 3,
});

const pages: Pages = async function* () {
  yield { text: '{"_id":"a","n":1.50}\n{"_id":"b"}\n', documents: 2 };
  yield { text: '', documents: 0 };
  yield { text: '{"_id":"c","big":12345678901234567890}\n', documents: 1 };
};

async function exported(format: ExportFormat, from = pages, signal = new AbortController().signal) {
  let text = '';
  const told: ExportProgress[] = [];
  const sink = {
    write: async (part: string) => {
      text += part;
    },
  };
  const end = await runExport(plan(format), sink, signal, progress => told.push(progress), from);
  return { text, end, told };
}

describe('an export is written while it is read', () => {
  it('as NDJSON, with unchanged text', async () => {
    const { text, end } = await exported('ndjson');
    expect(text).toBe('{"_id":"a","n":1.50}\n{"_id":"b"}\n{"_id":"c","big":12345678901234567890}\n');
    expect(end).toEqual({ step: 'writing', documents: 3, bytes: text.length, incomplete: 0 });
  });

  it('as one JSON array, across pages and empty ones', async () => {
    const { text } = await exported('json');
    expect(text).toBe('[\n{"_id":"a","n":1.50},\n{"_id":"b"},\n{"_id":"c","big":12345678901234567890}\n]\n');
    expect((await exported('json', async function* () {})).text).toBe('[\n]\n');
  });

  it('as CSV, read once for its columns and once for its rows', async () => {
    const { text, told } = await exported('csv');
    expect(text).toBe('_id,n,big\na,1.5,\nb,,\nc,,12345678901234567890\n');
    expect(told.map(({ step, documents }) => [step, documents]).at(2)).toEqual(['columns', 3]);
    expect(told.at(-1)).toMatchObject({ step: 'writing', documents: 3 });
  });

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController();
    const cancelling: Pages = async function* (...args) {
      for await (const page of pages(...args)) {
        yield page;
        cancel.abort();
      }
    };
    for (const format of ['ndjson', 'csv'] as const)
      await expect(exported(format, cancelling, cancel.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the plan of an export', () => {
  it('offers the selection or the filter first', () => {
    const part = { filter: {}, includeExpired: false, description: 'state Soon' };
    expect(scopesOf({ collection: 'c', part: null, ids: null })).toEqual(['all']);
    expect(scopesOf({ collection: 'c', part, ids: ['a'] })).toEqual(['selection', 'part', 'all']);
  });

  it('names the file after the collection, valid on every file system', () => {
    expect(fileNameOf('sessions', 'all', 'csv')).toBe('sessions.csv');
    expect(fileNameOf('..a:b?', 'part', 'ndjson')).toBe('_a_b_-part.ndjson');
  });
});
