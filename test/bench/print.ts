import { type Goal, isMet } from './goals.ts';
import { type Results, summaryOf } from './results.ts';

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();

/** The table of goals, as Markdown. */
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

const GROWTH = [
  ['raw-life', 'ingestPerSecond', 'raw ingest /s'],
  ['ours-life', 'ingestPerSecond', 'ingest /s'],
  ['redis-life', 'ingestPerSecond', 'Redis ingest /s'],
  ['postgres-life', 'ingestPerSecond', 'PostgreSQL ingest /s'],
  ['nedb-ingest', 'ingestPerSecond', 'NeDB ingest /s'],
  ['keyv-ingest', 'ingestPerSecond', 'Keyv ingest /s'],
  ['ours-life', 'drainPerSecond', 'drain /s'],
  ['redis-life', 'drainPerSecond', 'Redis drain /s'],
  ['postgres-life', 'drainPerSecond', 'PostgreSQL DELETE /s'],
  ['raw-life', 'reclaimPerSecond', 'raw DELETE /s'],
  ['ours-life', 'reclaimPerSecond', 'reclaim /s'],
  ['ours-life', 'timelineMs', 'timeline ms'],
  ['raw-life', 'groupByMs', 'raw GROUP BY ms'],
  ['ours-life', 'changeMs', 'change expireAfter ms'],
  ['ours-life', 'previewMs', 'preview of a change ms'],
  ['ours-life', 'previewNewPerSecond', 'preview of a new index /s'],
  ['raw-life', 'scanPerSecond', 'raw json_extract scan /s'],
  ['ours-life', 'openMs', 'open ms'],
  ['ours-life', 'rss', 'served host, bytes of memory'],
  ['raw-life', 'bytes', 'raw file, bytes'],
  ['ours-life', 'bytes', 'file, bytes'],
] as const;

/** How each figure grows with the documents: medians, random keys. */
export function growthTable(results: Results): string {
  const sizes = [...new Set(results.all.map(({ run }) => run.options.documents))]
    .filter(size =>
      results.all.some(({ run }) => run.story === 'ours-life' && run.options.documents === size),
    )
    .sort((a, b) => a - b);
  const rows = GROWTH.map(([story, figure, label]) => [
    label,
    ...sizes.map(documents => {
      const of = story === 'ours-life' ? ({ documents, keys: 'v4', retention: 0 } as const) : { documents };
      const found = summaryOf(
        results.values(story, figure, { ...of, ...(story.endsWith('life') ? { keys: 'v4' } : {}) }),
      );
      return found === null ? '' : number(found.median);
    }),
  ]);
  return table(['', ...sizes.map(size => size.toLocaleString('en'))], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
