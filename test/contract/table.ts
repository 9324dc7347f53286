import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** The end of one case on one engine. */
export interface Outcome {
  readonly engine: string;
  readonly title: string;
  /** Reason why the engine does not support the case; null: the case passed. */
  readonly reason: string | null;
}

const FILE = join(import.meta.dirname, '../../docs/engines.md');
const BEGIN = '<!-- contract: written by WRITE_CONTRACT_TABLE=1 npm test -- contract -->';
const END = '<!-- end of contract -->';

/**
 * Prints the cases by engine, and compares them with the table in docs/engines.md, for the engines of this run. With
 * WRITE_CONTRACT_TABLE set, the columns of these engines are written instead.
 */
export function checkTable(titles: readonly string[], outcomes: readonly Outcome[]): void {
  const engines = [...new Set(outcomes.map(({ engine }) => engine))];
  const table = tableOf(titles, engines, outcomes);
  console.log(table);
  const text = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [documented = '', after = ''] = rest.split(END);
  if (process.env.WRITE_CONTRACT_TABLE !== undefined) {
    const merged = withColumns(rowsOf(documented), rowsOf(table));
    writeFileSync(FILE, `${before}${BEGIN}\n\n${merged}\n\n${END}${after}`);
    return;
  }
  const columns = rowsOf(documented);
  for (const row of rowsOf(table)) {
    const found = columns.find(([title]) => title === row[0]);
    for (const [i, engine] of engines.entries()) {
      const column = columns[0]?.indexOf(engine) ?? -1;
      expect(found?.[column], `${row[0]} on ${engine}`).toBe(row[i + 1]);
    }
  }
}

function tableOf(
  titles: readonly string[],
  engines: readonly string[],
  outcomes: readonly Outcome[],
): string {
  const cell = (engine: string, title: string) => {
    const found = outcomes.find(one => one.engine === engine && one.title === title);
    if (found === undefined) return 'failed';
    return found.reason === null ? 'yes' : `no: ${found.reason}`;
  };
  return formatRows([
    ['', ...engines],
    ...titles.map(title => [title, ...engines.map(engine => cell(engine, title))]),
  ]);
}

/** Returns the rows of this run, with the columns of engines that are documented and were not run. */
function withColumns(documented: readonly string[][], rows: readonly string[][]): string {
  const [engines = []] = documented;
  const [run = []] = rows;
  const all = [...engines, ...run.filter(name => !engines.includes(name))];
  const cell = (title: string, engine: string) =>
    [rows, documented]
      .map(table => table.find(row => row[0] === title)?.[table[0]?.indexOf(engine) ?? -1])
      .find(text => text !== undefined) ?? '';
  return formatRows([all, ...rows.slice(1).map(row => all.map(engine => cell(row[0] ?? '', engine)))]);
}

function formatRows([heads = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .filter(text => text.startsWith('|') && !text.startsWith('| ---'))
    .map(text =>
      text
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    );
}
