import { ORPCError } from '@orpc/client';
import { effectIn } from '../../../shared/contract/schemas/effect.ts';
import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/format.ts';
import { stringifyJson } from '../../../shared/model/json/json.ts';
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
  return [...lines, ...reasons, ...formatUnreadable(preview)];
}

/** Returns a line with values that cannot be read, and the options that read them [D3]. */
function formatUnreadable({ unreadable: { count, values, offers } }: Preview): string[] {
  if (count === 0) return [];
  const examples =
    values.length === 0 ? '' : `, such as ${values.map(value => stringifyJson(value)).join(', ')}`;
  const options = offers.map(({ formats }) => formats.map(format => `--format '${format}'`).join(' '));
  const hint = options.length === 0 ? '' : `; they look like ${options.join(', or ')}`;
  return [`  unreadable: ${formatCount(count)} ${count === 1 ? 'value' : 'values'}${examples}${hint}`];
}

/**
 * Requests confirmation if documents would be due at once [R8]. Throws CommandFailed after “no”, or without a terminal
 * and --yes.
 */
export async function confirmEffect(session: Session, preview: Preview): Promise<void> {
  if (preview.dueAtOnce === 0) return;
  await confirmLoss(session, `${formatDocuments(preview.dueAtOnce)} would be due at once`, { preview });
}

/**
 * Requests confirmation of an index by which no document gets a deadline, for example because of a misspelt field.
 * Throws CommandFailed.
 */
export async function confirmNoDeadline(session: Session, preview: Preview): Promise<void> {
  const { documents, never } = preview;
  if (documents === 0 || never.count < documents) return;
  const [reason] = never.reasons;
  const why = reason === undefined ? '' : ` (${reason.reason})`;
  await confirmLoss(session, `None of ${formatDocuments(documents)} would get a deadline${why}`, { preview });
}

/**
 * Makes a call. If the engine refuses it because its effect is not confirmed, requests the confirmation and repeats the
 * call with it [R8]. Throws CommandFailed as `confirmLoss` does.
 */
export async function confirmRefused<Answer>(
  session: Session,
  call: (expect: { due: number } | undefined) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(undefined);
  } catch (error) {
    const isRefused = error instanceof ORPCError && error.code === 'EXPECTATION_FAILED';
    const refused = isRefused ? effectIn(error.data) : null;
    if (refused === null) throw error;
    const { due, documents } = refused;
    await confirmLoss(session, `${formatCount(due)} of ${formatDocuments(documents)} would become due`, {
      effect: refused,
    });
    return await call({ due });
  }
}

/**
 * Requests confirmation before documents are removed; `what` is a sentence without its full stop. Throws CommandFailed.
 */
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
  yes: { help: 'do not ask for confirmation' },
} as const;
