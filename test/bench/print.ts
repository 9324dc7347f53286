import { type Goal, isMet } from './goals.ts';
import { type Results, summaryOf } from './results.ts';

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();

/** Returns the table of goals as Markdown. */
export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map(goal => {
    const { what, documents, unit, measured } = goal;
    const met = isMet(goal);
    return [
      what,
      documents === null ? '' : documents.toLocaleString('en'),
      measured === null ? 'not measured' : `${number(measured.median)} ${unit}`,
      measured === null || measured.runs < 2 ? '' : `${number(measured.least)} – ${number(measured.most)}`,
      goal.goal === null ? '' : `${goal.goal.is} ${number(goal.goal.value)} ${unit}`,
      met === null ? '' : met ? 'met' : 'missed',
    ];
  });
  return table(['what', 'documents', 'median', 'min – max', 'goal', ''], rows);
}

/** Story, figure, keys, label. Reads do not depend on the keys and were run in insertion order at every size. */
const GROWTH = [
  ['raw-life', 'ingestPerSecond', 'v4', 'raw ingest, random, /s'],
  ['ours-life', 'ingestPerSecond', 'v4', 'ingest, random, /s'],
  ['raw-life', 'ingestPerSecond', 'v7', 'raw ingest, UUIDv7, /s'],
  ['ours-life', 'ingestPerSecond', 'v7', 'ingest, UUIDv7, /s'],
  ['redis-life', 'ingestPerSecond', 'v7', 'Redis ingest /s'],
  ['postgres-life', 'ingestPerSecond', 'v4', 'PostgreSQL ingest /s'],
  ['nedb-ingest', 'ingestPerSecond', 'v4', 'NeDB ingest /s'],
  ['ours-life', 'drainPerSecond', 'v4', 'drain, random, /s'],
  ['ours-life', 'drainPerSecond', 'v7', 'drain, insertion order, /s'],
  ['ours-life', 'agreedMs', 'v4', 'drain until every reader agrees, random, ms'],
  ['ours-events', 'unlistedPerSecond', 'v4', 'events of a cliff by pages, not listed, /s'],
  ['ours-events', 'listedPerSecond', 'v4', 'the same, listed, /s'],
  ['ours-events', 'streamedPerSecond', 'v4', 'the same over HTTP, /s'],
  ['redis-life', 'drainPerSecond', 'v4', 'Redis drain /s'],
  ['postgres-life', 'drainPerSecond', 'v4', 'PostgreSQL DELETE /s'],
  ['raw-life', 'reclaimPerSecond', 'v4', 'raw DELETE, random, /s'],
  ['ours-life', 'reclaimPerSecond', 'v4', 'reclaim, random, /s'],
  ['raw-life', 'reclaimPerSecond', 'v7', 'raw DELETE, insertion order, /s'],
  ['ours-life', 'reclaimPerSecond', 'v7', 'reclaim, insertion order, /s'],
  ['ours-life', 'timelineMs', 'v7', 'timeline ms'],
  ['raw-life', 'groupByMs', 'v7', 'raw GROUP BY ms'],
  ['ours-life', 'changeMs', 'v7', 'change expireAfter ms'],
  ['ours-life', 'previewMs', 'v7', 'preview of a change ms'],
  ['ours-life', 'previewNewPerSecond', 'v7', 'preview of a new index /s'],
  ['raw-life', 'scanPerSecond', 'v7', 'raw json_extract scan /s'],
  ['ours-life', 'openMs', 'v7', 'open ms'],
  ['ours-life', 'rss', 'v7', 'served host, bytes of memory'],
  ['raw-life', 'bytes', 'v4', 'raw file, random, bytes'],
  ['ours-life', 'bytes', 'v4', 'file, random, bytes'],
] as const;

/** Returns the median of each figure by number of documents, as Markdown. */
export function growthTable(results: Results): string {
  const sizes = [...new Set(results.all.map(({ run }) => run.options.documents))]
    .filter(size =>
      results.all.some(({ run }) => run.story === 'ours-life' && run.options.documents === size),
    )
    .sort((a, b) => a - b);
  const rows = GROWTH.map(([story, figure, keys, label]) => [
    label,
    ...sizes.map(documents => {
      const which = { documents, keys, ...(story === 'ours-life' ? { retention: 0 } : {}) };
      const found = summaryOf(results.values(story, figure, which));
      return found === null ? '' : number(found.median);
    }),
  ]);
  return table(['', ...sizes.map(size => size.toLocaleString('en'))], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
