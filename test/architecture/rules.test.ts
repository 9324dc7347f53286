import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const RULE = /^- \*\*([A-Z]\d+)\*\*/gm;
const CITED = /\[((?:[A-Z]\d+)(?:, ?[A-Z]\d+)*)\]/g;

/** The numbers of docs/semantics.md, in its order. */
const rules = [...readFileSync(join(ROOT, 'docs', 'semantics.md'), 'utf8').matchAll(RULE)].map(
  match => match[1] ?? '',
);

/** Every number that the title of a test carries. */
const cited = new Set(
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(test|spec)\.tsx?$/.test(file))
    .flatMap(file => titlesOf(readFileSync(join(ROOT, 'test', file), 'utf8')))
    .flatMap(title => [...title.matchAll(CITED)])
    .flatMap(match => (match[1] ?? '').split(/, ?/)),
);

function titlesOf(source: string): string[] {
  return [...source.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])([\s\S]*?)\1/g)].map(
    match => match[2] ?? '',
  );
}

it('every rule of docs/semantics.md is in the title of a test', () => {
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(rule => !cited.has(rule))).toEqual([]);
});

it('no test names a rule that docs/semantics.md does not have', () => {
  expect([...cited].filter(rule => !rules.includes(rule))).toEqual([]);
});
