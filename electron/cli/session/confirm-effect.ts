import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { formatDocuments, formatLocalInstant } from '../output/format.ts';
import { fields } from '../output/terminal.ts';
import type { Session } from './command.ts';

/** Returns the effect of creating, changing or dropping an index as lines [X3]. */
export function formatPreview(preview: Preview): string[] {
  const { bytes, never, drainMs } = preview;
  const row = (name: string, count: number, size: number, suffix = ''): [string, string] => [
    name,
    (count === 0 ? '0' : `${formatCount(count)} (${formatBytes(size)})`) + suffix,
  ];
  const drain =
    preview.dueAtOnce > 0 && drainMs !== null ? `, removed within about ${formatDuration(drainMs)}` : '';
  const lines = fields([
    ['documents', formatCount(preview.documents)],
    row('due at once', preview.dueAtOnce, bytes.dueAtOnce, drain),
    row('in the next hour', preview.nextHour, bytes.nextHour),
    row('in the next day', preview.nextDay, bytes.nextDay),
    row('in the next week', preview.nextWeek, bytes.nextWeek),
    row('later', preview.later, bytes.later),
    row('never', never.count, bytes.never),
    ['next deadline', formatLocalInstant(preview.nextDeadlineAt, preview.at)],
  ]);
  const reasons = never.reasons.map(
    ({ reason, count, examples, message }) =>
      `  never: ${reason}, ${formatDocuments(count)}, such as ${examples.join(', ')}${message === undefined ? '' : ` (${message})`}`,
  );
  return [...lines, ...reasons];
}

/** Requests confirmation if documents would be due at once [R8]. Throws CommandFailed after “no”, or without a terminal and --yes. */
export async function confirmEffect(session: Session, preview: Preview): Promise<void> {
  if (preview.dueAtOnce === 0) return;
  await confirmLoss(session, `${formatDocuments(preview.dueAtOnce)} would be due at once`, { preview });
}

/** Requests confirmation before documents are removed; `what` is a sentence without its full stop. Throws CommandFailed. */
export async function confirmLoss(
  { args, terminal, signal }: Session,
  what: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (args.has('yes')) return;
  if (!terminal.isInteractive)
    throw new CommandFailed(EXIT.conflict, `${what}. Nothing was changed; give --yes to confirm.`, data);
  if (!(await terminal.confirm(`${what}. Continue?`, signal)))
    throw new CommandFailed(EXIT.conflict, 'Nothing was changed.', data);
}

export const YES = {
  yes: { help: 'do not ask for confirmation where documents would be due at once' },
} as const;
