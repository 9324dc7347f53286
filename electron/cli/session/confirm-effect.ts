import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { documentsInWords, instantInWords } from '../output/format.ts';
import { fields } from '../output/terminal.ts';
import type { Session } from './command.ts';

/** What creating, changing or dropping an index would do, for a person [X3]. */
export function effectInWords(preview: Preview): string[] {
  const { bytes, never, drainMs } = preview;
  const row = (name: string, count: number, size: number): [string, string] => [
    name,
    count === 0 ? '0' : `${formatCount(count)} (${formatBytes(size)})`,
  ];
  const drain =
    preview.dueAtOnce > 0 && drainMs !== null ? `, removed within about ${formatDuration(drainMs)}` : '';
  const lines = fields([
    ['documents', formatCount(preview.documents)],
    [...row('due at once', preview.dueAtOnce, bytes.dueAtOnce)].map((text, i) =>
      i === 1 ? text + drain : text,
    ) as [string, string],
    row('in the next hour', preview.nextHour, bytes.nextHour),
    row('in the next day', preview.nextDay, bytes.nextDay),
    row('in the next week', preview.nextWeek, bytes.nextWeek),
    row('later', preview.later, bytes.later),
    row('never', never.count, bytes.never),
    ['next deadline', instantInWords(preview.nextDeadlineAt, preview.at)],
  ]);
  const reasons = never.reasons.map(
    ({ reason, count, examples, message }) =>
      `  never: ${reason}, ${documentsInWords(count)}, as ${examples.join(', ')}${message === undefined ? '' : ` (${message})`}`,
  );
  return [...lines, ...reasons];
}

/**
 * Asks before what would remove documents at once. Throws where nobody is there to be asked and --yes was not given,
 * or the answer was no [R8].
 */
export async function confirmEffect(session: Session, preview: Preview): Promise<void> {
  if (preview.dueAtOnce === 0) return;
  await confirmLoss(session, `${documentsInWords(preview.dueAtOnce)} would be due at once`, { preview });
}

/** The same of anything that takes documents away, which `what` says without its full stop. */
export async function confirmLoss(
  { given, terminal, signal }: Session,
  what: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (given.has('yes')) return;
  if (!terminal.isInteractive)
    throw new CommandFailed(EXIT.conflict, `${what}. Nothing was changed; give --yes to go on.`, data);
  if (!(await terminal.confirm(`${what}. Go on?`, signal)))
    throw new CommandFailed(EXIT.conflict, 'Nothing was changed.', data);
}

export const YES = { yes: { help: 'go on without asking where documents would be due at once' } } as const;
