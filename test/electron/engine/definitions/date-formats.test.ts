import { describe, expect, it } from 'vitest';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { refusal, write } from '../../../support/documents.ts';
import { DAY, openTestEngine } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const BERLIN: TtlSource = {
  kind: 'field',
  field: 'at',
  unit: 'seconds',
  formats: ['yyyy-MM-dd HH:mm:ss', 'dd.MM.yyyy'],
  zone: 'Europe/Berlin',
  expireAfter: 86_400,
};
/** Half a year after the clock of the tests begins. */
const DOCUMENTS = [
  { _id: 'a', at: '2099-07-01 12:00:00' },
  { _id: 'b', at: '01.01.2099' },
  { _id: 'c', at: '2099-07-01T12:00:00Z' },
  { _id: 'd', at: 'soon' },
  { _id: 'e', at: 4_070_908_800 },
  { _id: 'f' },
];

async function withDocuments(documents: readonly unknown[], storeFile = temporaryStoreFile()) {
  const test = openTestEngine({ file: storeFile });
  await test.client.collections.create({ name: 'c' });
  await write(test.client, 'c', documents);
  return test;
}

describe('an index with date formats', () => {
  it('[D3] reads text by its formats in its zone, numbers as before, and nothing else', async () => {
    const test = await withDocuments(DOCUMENTS);
    const { client } = test;
    const created = await client.ttlIndexes.create({ collection: 'c', source: BERLIN });
    expect(created.source).toEqual(BERLIN);
    await test.settle();
    const deadlines = await Promise.all(
      DOCUMENTS.map(async ({ _id }) => (await client.documents.get({ collection: 'c', id: _id })).deadlineAt),
    );
    expect(deadlines).toEqual([
      Date.parse('2099-07-01T10:00:00Z') + DAY,
      Date.parse('2098-12-31T23:00:00Z') + DAY,
      null,
      null,
      4_070_908_800_000 + DAY,
      null,
    ]);
    expect(
      (await client.ttlIndexes.get({ collection: 'c', index: created.name })).never.reasons,
    ).toMatchObject([
      { reason: 'not a date', count: 2, examples: ['c', 'd'] },
      { reason: 'missing field', count: 1 },
    ]);
    // A later write is read by the same formats, and entries of changed or removed documents are found.
    await write(client, 'c', [{ _id: 'a', at: '02.01.2099' }]);
    await client.documents.delete({ collection: 'c', id: 'b' });
    const index = await client.ttlIndexes.get({ collection: 'c', index: created.name });
    expect([index.documents, index.nextDeadlineAt]).toEqual([2, 4_070_908_800_000 + DAY]);
  });

  it('[D3, X1] explains the format and the zone', async () => {
    const test = await withDocuments(DOCUMENTS);
    await test.client.ttlIndexes.create({ collection: 'c', source: BERLIN });
    await test.settle();
    const explain = async (id: string) =>
      (await test.client.documents.explain({ collection: 'c', id })).sentence;
    expect(await explain('a')).toContain('at (read as yyyy-MM-dd HH:mm:ss or dd.MM.yyyy in Europe/Berlin)');
    expect(await explain('d')).toContain('it is read as yyyy-MM-dd HH:mm:ss or dd.MM.yyyy in Europe/Berlin');
  });

  it('[D3, X5] is kept over a restart and a revert, and read back unchanged', async () => {
    const storeFile = temporaryStoreFile();
    const first = await withDocuments(DOCUMENTS, storeFile);
    const { name } = await first.client.ttlIndexes.create({ collection: 'c', source: BERLIN });
    await first.settle();
    const before = await first.client.documents.get({ collection: 'c', id: 'a' });
    await first.stop();
    const { client } = openTestEngine({ file: storeFile });
    expect((await client.ttlIndexes.get({ collection: 'c', index: name })).source).toEqual(BERLIN);
    expect((await client.documents.get({ collection: 'c', id: 'a' })).deadlineAt).toBe(before.deadlineAt);
    const { cli, mongodb } = await client.ttlIndexes.definition({ collection: 'c', index: name });
    expect(cli).toContain("--format 'yyyy-MM-dd HH:mm:ss' --format dd.MM.yyyy --zone Europe/Berlin");
    expect(mongodb).toMatchObject({ statement: null, reason: expect.stringContaining('no date formats') });
    expect(await client.ttlIndexes.history({ collection: 'c', index: name })).toMatchObject([
      { after: { source: BERLIN } },
    ]);
  });

  it.each<[Partial<typeof BERLIN>, string]>([
    [{ formats: ['YYYY.MM.dd'] }, 'write yyyy'],
    [{ zone: 'Europe/Berln' }, '“Europe/Berln” is not a time zone'],
    [{ formats: undefined }, 'A zone needs formats'],
  ])('[D3] %j is refused', async (change, says) => {
    const { client } = await withDocuments([]);
    const source = { ...BERLIN, ...change } as typeof BERLIN;
    const refused = await refusal(client.ttlIndexes.create({ collection: 'c', source }));
    expect(refused).toMatchObject({ code: 'INVALID_TTL_INDEX', message: expect.stringContaining(says) });
    expect(await refusal(client.ttlIndexes.preview({ collection: 'c', source }))).toMatchObject({
      code: 'INVALID_TTL_INDEX',
    });
  });

  it('[D3] has at most eight formats', async () => {
    const { client } = await withDocuments([]);
    const withFormats = (count: number) => ({ ...BERLIN, formats: Array<string>(count).fill('iso') });
    const refused = await refusal(client.ttlIndexes.create({ collection: 'c', source: withFormats(9) }));
    expect(refused.code).toBe('BAD_REQUEST');
    await client.ttlIndexes.create({ collection: 'c', source: withFormats(8) });
  });

  it('[D3] cannot get other formats: its documents were read with the first ones', async () => {
    const test = await withDocuments(DOCUMENTS);
    const { name } = await test.client.ttlIndexes.create({ collection: 'c', source: BERLIN });
    await test.settle();
    for (const change of [{ zone: 'UTC' }, { formats: ['dd.MM.yyyy'] }]) {
      const source = { ...BERLIN, ...change } as typeof BERLIN;
      expect(
        await refusal(test.client.ttlIndexes.update({ collection: 'c', index: name, source })),
      ).toMatchObject({ code: 'INVALID_TTL_INDEX' });
    }
  });
});

describe('the preview of dates that cannot be read', () => {
  const PLAIN: TtlSource = { kind: 'field', field: 'Date', unit: 'seconds', expireAfter: 86_400 };
  const LOG = Array.from({ length: 600 }, (_, i) => ({
    _id: `d${i}`,
    Date: `2005.06.${String((i % 28) + 1).padStart(2, '0')}`,
    NodeRepeat: `R02-M1-N0-C:J${i}`,
  }));

  it('[D3, X3] counts them, shows some, and offers the format that reads them', async () => {
    const { client } = await withDocuments(LOG);
    const preview = await client.ttlIndexes.preview({ collection: 'c', source: PLAIN });
    expect(preview.unreadable).toMatchObject({
      count: 600,
      values: ['2005.06.01', '2005.06.02', '2005.06.03'],
      offers: [{ formats: ['yyyy.MM.dd'], values: 600, doubt: null }],
    });
    const [offer] = preview.unreadable.offers;
    const source = { ...PLAIN, formats: offer?.formats ?? [] };
    const read = await client.ttlIndexes.preview({ collection: 'c', source });
    expect(read).toMatchObject({ dueAtOnce: 600, never: { count: 0 }, unreadable: { count: 0, offers: [] } });
    expect(read.samples[0]).toMatchObject({
      reads: [{ field: 'Date', value: '2005.06.01' }],
      referenceAt: Date.UTC(2005, 5, 1),
    });
  });

  it('[D3] offers formats in addition to those that read the other documents', async () => {
    const { client } = await withDocuments([...LOG, { _id: 'iso', Date: '2005-06-01' }]);
    const { unreadable } = await client.ttlIndexes.preview({ collection: 'c', source: PLAIN });
    expect(unreadable.offers).toMatchObject([{ formats: ['iso', 'yyyy.MM.dd'], values: 600 }]);
  });

  it('[D3] offers nothing for dates that are read, text that is not a date, and missing fields', async () => {
    const { client } = await withDocuments([
      { _id: 'a', Date: '2005-06-01' },
      { _id: 'b', Date: 'R02-M1-N0-C:J12-U11' },
      { _id: 'd' },
      { _id: 'e', Date: 1_117_838_570 },
    ]);
    const { unreadable } = await client.ttlIndexes.preview({ collection: 'c', source: PLAIN });
    expect(unreadable).toEqual({ count: 1, values: ['R02-M1-N0-C:J12-U11'], offers: [] });
    await client.documents.delete({ collection: 'c', id: 'b' });
    expect((await client.ttlIndexes.preview({ collection: 'c', source: PLAIN })).unreadable).toEqual({
      count: 0,
      values: [],
      offers: [],
    });
  });

  it('[D8, X3] of an expression shows the values that it reads, with the resulting instants', async () => {
    const { client } = await withDocuments([{ _id: 'a', log: { Date: '2099.06.03' }, Time: '10:20:30' }]);
    const expression = 'timestamp(doc.log.Date + " " + doc["Time"], "yyyy.MM.dd HH:mm:ss")';
    const preview = await client.ttlIndexes.preview({
      collection: 'c',
      source: { kind: 'expression', expression },
    });
    expect(preview.samples).toMatchObject([
      {
        reads: [
          { field: 'log.Date', value: '2099.06.03' },
          { field: 'Time', value: '10:20:30' },
        ],
        referenceAt: Date.parse('2099-06-03T10:20:30Z'),
      },
    ]);
  });
});

describe('the fields of a collection', () => {
  const fieldsOf = async (documents: readonly unknown[]) => {
    const { client } = await withDocuments(documents);
    return client.ttlIndexes.candidates({ collection: 'c' });
  };

  it('[D3] are listed with the formats that read their text, certain formats before fields without dates', async () => {
    const { fields } = await fieldsOf([
      { name: 'x', day: '2005.06.03', us: '03/04/2005', num: 20050603, iso: '2005-06-03' },
      { name: 'y', day: '2005.06.04', us: '05/06/2005', num: 20050604, iso: '2005-06-04' },
    ]);
    expect(
      fields.map(({ field, offers }) => [field, offers.map(({ formats, doubt }) => [formats, doubt])]),
    ).toEqual([
      ['iso', []],
      ['day', [[['yyyy.MM.dd'], null]]],
      ['num', [[['yyyyMMdd'], null]]],
      ['name', []],
      [
        'us',
        [
          [['dd/MM/yyyy'], 'order'],
          [['MM/dd/yyyy'], 'order'],
        ],
      ],
    ]);
  });

  it('[D8] with a date and with a time of day are offered as one expression', async () => {
    const { expressions } = await fieldsOf([
      { log: { Date: '2005.06.03', Time: '10:20:30', in: 'x' }, Time: '1:00' },
      { log: { Date: '2005.06.04', Time: '10:20:31', in: 'y' }, Time: '2:00' },
    ]);
    expect(expressions).toEqual([
      {
        expression: 'timestamp(doc.log.Date + " " + doc.log.Time, "yyyy.MM.dd HH:mm:ss")',
        fields: ['log.Date', 'log.Time'],
        doubt: null,
      },
    ]);
    const { client } = await withDocuments([{ _id: 'a', log: { Date: '2005.06.03', Time: '10:20:30' } }]);
    const [offer] = expressions;
    const source: TtlSource = { kind: 'expression', expression: offer?.expression ?? '' };
    const { samples } = await client.ttlIndexes.preview({ collection: 'c', source });
    expect(samples[0]?.referenceAt).toBe(Date.parse('2005-06-03T10:20:30Z'));
  });

  it('[D8] with a date and with other text give no expression', async () => {
    const { expressions } = await fieldsOf([
      { Date: '2005.06.03', Time: 'morning', n: '5' },
      { Date: '2005.06.04', Time: 'evening', n: '6' },
    ]);
    expect(expressions).toEqual([]);
  });
});
