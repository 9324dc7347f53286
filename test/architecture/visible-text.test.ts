import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from './layers.ts';
import { visibleTexts } from './visible-text.ts';

/** Texts for machines that read as text for people, by file. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Examples of a file and of an address.
  'renderer/features/connections/AddConnection.tsx': [
    '/data/orders.sandglass, redis://localhost',
    'orders.sandglass, redis://localhost',
  ],
  // Ids of series of the demonstration.
  'renderer/pages/demo-answer.ts': ['set by hand'],
  // Class names.
  'renderer/components/controls/Icon.tsx': ['icon … …'],
  // Examples of paths.
  // The key of kept changes.
  'renderer/features/documents/use-reload-recovery.ts': ['documents of …'],
  // Calls, commands and a condition.
  'renderer/features/documents/bulk/MatchingDialog.tsx': ['POST …\n…'],
  'renderer/features/documents/staging/ReviewDialog.tsx': ['POST …\n…'],
  'renderer/features/documents/copy/copied-text.ts': [
    '-X PUT …',
    '-X POST …',
    `curl … -H "Authorization: Bearer $SANDGLASS_TOKEN" -H 'Content-Type: application/json' --data-raw …`,
    "printf '%s\\n' … | sandglass import --format ndjson --mode upsert - …",
  ],
  'renderer/features/documents/filter/FilterField.tsx': ['doc.tenant == "acme" && doc.seats > 3'],
  // Typed text, which is parsed in English in every language.
  'renderer/features/settings/NewToken.tsx': ['in 30 days'],
  // An example of an address.
  'renderer/features/settings/Webhook.tsx': ['https://hooks.example.com/…'],
  'renderer/features/settings/KeyGroups.tsx': ['session:*:cart'],
  // Text of an input, which is parsed in English in every language.
  'renderer/features/settings/setting-text.ts': ['… ms'],
  // A key of kept input, choices and states; CEL, JSON and names of fields as examples.
  'renderer/features/ttl-indexes/draft-store.ts': ['TTL index of …'],
  'renderer/features/ttl-indexes/use-index-editor.ts': ['as defined'],
  'renderer/features/ttl-indexes/review/RollOutChoice.tsx': ['as defined'],
  'renderer/features/ttl-indexes/draft/read-draft.ts': ['seconds'],
  'renderer/features/ttl-indexes/history/PolicyHistory.tsx': ['check'],
  'renderer/features/ttl-indexes/list/index-health.ts': ['wrong unit'],
  'renderer/features/ttl-indexes/preview/preview-figures.ts': ['wrong unit suspected', 'missing field'],
  'renderer/features/ttl-indexes/form/ActionChoice.tsx': [
    '{"claim": null, "state": "free"}',
    'merge(without(doc, "c"), {"freedAt": now})',
  ],
  'renderer/features/ttl-indexes/form/DateAndTime.tsx': ['… + duration("…")'],
  'renderer/features/ttl-indexes/form/FormatChoice.tsx': ['yyyy-MM-dd HH:mm:ss'],
  'renderer/features/ttl-indexes/form/LifeChoice.tsx': ['ttl'],
  'renderer/features/ttl-indexes/form/MoveTarget.tsx': ['…_archive'],
  'renderer/features/ttl-indexes/form/SourceChoice.tsx': [
    'timestamp(doc.createdAt) + duration("10m")',
    'updatedAt + duration(doc.plan == "free" ? "24h" : "720h")',
  ],
  // Reasons and names of failures.
  'renderer/api/client.ts': ['connection changed', 'not sent', 'no answer'],
  'renderer/api/confirm-production-write.ts': ['Declined'],
  'renderer/api/transport.ts': ['token refused', 'engine stopped'],
  // States of a parser, and the beginning of a SQLite file.
  'renderer/features/import/file/json-syntax-error.ts': ['next in …', 'first value', 'first key'],
  'renderer/features/import/file/sniff.ts': ['SQLite format 3'],
  // Ids of groups; their names are in Palette.tsx.
  'renderer/features/frame/palette/rank-commands.ts': ['Go to', 'This page', 'Actions'],
};

const texts = (source: string) => visibleTexts(source).map(({ text }) => text);

const outside = sourceFiles(join(import.meta.dirname, '../..'))
  .filter(({ path }) => path.startsWith('renderer/') && !path.startsWith('renderer/i18n/'))
  .flatMap(({ path, source }) =>
    visibleTexts(source)
      .filter(({ text }) => EXCEPTIONS[path]?.includes(text) !== true)
      .map(({ line, text }) => `${path}:${line} ${text}`),
  );

it('every visible text comes from the catalogue', () => {
  expect(outside).toEqual([]);
});

it('visible text is found between tags, in attributes, in properties and in sentences', () => {
  expect(texts('const a = <h2>Backup</h2>;')).toEqual(['Backup']);
  expect(texts('const a = <Input aria-label="New token" className="a b" />;')).toEqual(['New token']);
  expect(texts("showToast({ kind: 'bad', title: 'Not sent' });")).toEqual(['Not sent']);
  expect(texts(['const a = (n: number) => `$', '{n} documents of it`;'].join(''))).toEqual([
    '… documents of it',
  ]);
  expect(texts("const a = <td>{isEmpty ? 'none' : count}</td>;")).toEqual(['none']);
});

it('messages, code, names of products and of keys are accepted', () => {
  expect(texts('const a = <h2><Trans>Backup of <b>it</b></Trans></h2>;')).toEqual([]);
  expect(texts('const a = <h2>{t`Backup`}</h2>;')).toEqual([]);
  expect(texts("const a = <h2>{t({ message: 'Open', context: 'state' })}</h2>;")).toEqual([]);
  expect(texts("const a = plural(n, { one: '# document', other: '# documents' });")).toEqual([]);
  expect(texts("const a = mode === 'first run' ? <Kbd>Ctrl ⇧ P</Kbd> : <b>MongoDB</b>;")).toEqual([]);
});
