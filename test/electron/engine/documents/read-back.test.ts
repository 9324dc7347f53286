import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../../../electron/engine/backends/embedded/tables/documents/stored-json.ts';
import {
  documentFromText,
  documentFromValue,
} from '../../../../electron/engine/backends/embedded/write/incoming-document.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { isJsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { listIds, on } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';

/** Documents with and without `_id`, with numbers and names that JSON or JavaScript treats specially. */
const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(0, -0, 1.5, 2 ** 53, 1e300, true, false, null, undefined),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('1', '__proto__', 'a')),
      tie('value'),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;
const document = fc
  .record(
    {
      _id: fc.string({ minLength: 1, maxLength: 5 }),
      key: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
      more: value,
    },
    { requiredKeys: ['key', 'more'] },
  )
  .map(fields => ({ ...fields }));

function unlessRefused<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof SandglassError) return null;
    throw error;
  }
}

describe('a document that enters the store', () => {
  it('[C1, D8] has its deadline computed from the value that is read back', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 'key'), (given, idField) => {
        const options = { idField, now: NOON };
        const text = unlessRefused(() => stringifyJson(given));
        const ways = [
          () => documentFromValue(given, options),
          ...(text === null
            ? []
            : [() => documentFromText(text, options), () => documentFromText(` ${text}\n`, options)]),
        ];
        for (const way of ways) {
          const incoming = unlessRefused(way);
          if (incoming === null) continue;
          const kept = readBody(incoming.body);
          expect(incoming.value).toStrictEqual(kept);
          expect(isJsonObject(kept) && kept._id).toBe(incoming.id);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['generated', 'taken from a field'] as const)(
    '[C1, D8] gives its _id to the expression of an index, also if the _id is %s',
    async how => {
      const test = openTestEngine();
      const { client, engine } = test;
      await client.collections.create({ name: collection });
      await client.ttlIndexes.create({
        collection,
        name: 'exp',
        source: {
          kind: 'expression',
          expression: 'has(doc._id) && size(doc._id) > 0 ? timestampMs(doc.exp) : null',
        },
      });
      await client.ttlIndexes.create({ collection, name: 'other', source: on('other') });
      await test.settle();
      const documents = [
        { key: 'a', exp: NOON + HOUR },
        { key: 'b', exp: NOON + DAY, other: NOON + DAY + SECOND },
      ];
      const idField = how === 'generated' ? undefined : 'key';
      engine.backend.write(
        collection,
        documents.map((one, i) => ({ value: one, line: i + 1 })),
        { mode: 'insert', atomic: false, idField },
      );
      expect(await client.ttlIndexes.get({ collection, index: 'exp' })).toMatchObject({ documents: 2 });
      const [first] = await listIds(client, { collection });
      await client.documents.put({
        params: { collection, id: first ?? '' },
        body: { exp: NOON + HOUR, n: 2 },
      });
      await test.advance(HOUR);
      expect(await listIds(client, { collection, includeExpired: true })).toHaveLength(1);
      while (engine.backend.expiry.sweep(1_000));
      await test.stop();
      expect(disagreements(test.file)).toEqual([]);
    },
  );
});
