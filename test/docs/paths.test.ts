import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const FOLDERS = ['electron', 'shared', 'renderer', 'test', 'docs'];

/** Every file and folder of the project's sources, from the root and with slashes. */
const paths = FOLDERS.flatMap(folder => [
  folder,
  ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    path => `${folder}/${path.replaceAll('\\', '/')}`,
  ),
]);

const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

/** Names of files, and folders from the root, that a text has between backticks. */
function namedPaths(text: string): string[] {
  const names = [...text.matchAll(/`([\w./-]+)`/g)].map(match => (match[1] ?? '').replace(/\/$/, ''));
  return names.filter(
    name => /\w\.(ts|tsx|mjs)$/.test(name) || FOLDERS.some(folder => name.startsWith(`${folder}/`)),
  );
}

/** A name is a path from the root, or the end of exactly one path. */
function isFound(name: string): boolean {
  if (paths.includes(name)) return true;
  return paths.filter(path => path.endsWith(`/${name}`)).length === 1;
}

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the paths that the documentation names', () => {
  it.each(DOCS)('exist, and match one path each: %s', file => {
    expect(namedPaths(textOf(file)).filter(name => !isFound(name))).toEqual([]);
  });

  it('are found in a text', () => {
    const text = '`expiry/deadline.ts`, `docs/`, `electron/web/`, `npm test`, `meta`, `web/none.ts`';
    expect(namedPaths(text)).toEqual(['expiry/deadline.ts', 'electron/web', 'web/none.ts']);
    expect(namedPaths(text).filter(name => !isFound(name))).toEqual(['web/none.ts']);
  });
});

it('CONTRIBUTING.md has the questions of docs/architecture.md, with the same files', () => {
  const tableOf = (text: string) => /\| question \| file \|\n(?:\|.*\n)+/.exec(text)?.[0];
  const table = tableOf(textOf('docs/architecture.md'));
  expect(table?.split('\n').length).toBeGreaterThan(10);
  expect(tableOf(textOf('CONTRIBUTING.md'))).toBe(table);
});
