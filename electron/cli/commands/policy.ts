import { existsSync, writeFileSync } from 'node:fs';
import type { PolicyDiff } from '../../../shared/contract/policy.ts';
import { MOST_POLICY_COLLECTIONS, type Policy } from '../../../shared/contract/policy.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { formatPolicyFile } from '../../../shared/policy/policy-document.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { formatDocuments } from '../output/format.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmRefused, YES } from '../session/confirm-effect.ts';
import { followJob, formatFailures } from '../session/follow-job.ts';
import { openPolicies, type PolicyTarget, untilComplete } from '../session/policy-targets.ts';

const FORMATS = ['yaml', 'json'] as const;

const FILE_NOTES = [
  'FILE is YAML or JSON (docs/policy.schema.json); `-` is standard input. It states the collections of the connection that --connection names, or of several connections by name. Without FILE, the store is compared with the policy that was last applied.',
];

const exportPolicy: Command = {
  name: 'policy export',
  summary: 'Write the present expiration of every collection as a policy file',
  arguments: [{ name: 'FILE', optional: true }],
  options: {
    format: { value: FORMATS.join('|'), help: 'default: by the name of FILE, else yaml' },
    all: { help: 'all open connections, by name, in one file' },
    force: { help: 'overwrite an existing FILE' },
  },
  store: 'opens',
  async run(session) {
    const { args, terminal } = session;
    const file = args.optional('FILE');
    const format = args.oneOf('format', FORMATS) ?? (file?.endsWith('.json') === true ? 'json' : 'yaml');
    if (file !== undefined && file !== '-' && existsSync(file) && !args.has('force'))
      throw new CommandFailed(
        EXIT.conflict,
        `There is a file ${file} already. Give --force to overwrite it.`,
        {
          file,
        },
      );
    const policies = args.has('all') ? await exportAll(session) : await exportOne(session);
    const text = formatPolicyFile(policies, format);
    if (file === undefined || file === '-') await terminal.write(text);
    else {
      writeFileSync(file, text);
      await terminal.answer({ file }, () => [`Exported the policy to ${file}.`]);
    }
    return undefined;
  },
};

async function exportOne({ open, terminal }: Session): Promise<Policy> {
  const { client } = await open();
  const { policy, omitted } = await client.policy.export();
  if (omitted > 0)
    terminal.message(
      `A policy has at most ${formatCount(MOST_POLICY_COLLECTIONS)} entries: ${formatCount(omitted)} collections with fewer documents are left out.`,
    );
  return policy;
}

async function exportAll(session: Session): Promise<ReadonlyMap<string, Policy>> {
  const { client } = await session.open();
  const policies = new Map<string, Policy>();
  for (const { id, name, state } of await client.connections.list()) {
    if (state.is !== 'open') {
      session.terminal.message(`${name} is not open and left out.`);
      continue;
    }
    const open = () => session.open({ connection: id });
    policies.set(policies.has(name) ? id : name, await exportOne({ ...session, open }));
  }
  return policies;
}

const diff: Command = {
  name: 'policy diff',
  summary:
    'Compare a store with a policy file; exits with 0 if they agree, 1 if they differ, 2 after an error',
  arguments: [{ name: 'FILE', optional: true }],
  options: {
    wait: { value: 'DURATION', help: 'longest time to wait until all keys have been read (default: 60s)' },
  },
  notes: FILE_NOTES,
  store: 'opens',
  exitCodeOfFailures: 2,
  async run(session) {
    const found: { connection: string | null; diff: PolicyDiff }[] = [];
    for (const target of await openPolicies(session)) {
      const answer = await untilComplete(session, target);
      found.push({ connection: target.connection, diff: answer });
    }
    await session.terminal.answer(found.length === 1 ? found[0]?.diff : found, () =>
      found.flatMap(({ connection, diff: answer }) => formatDiff(connection, answer)),
    );
    return found.some(({ diff: { driftCount } }) => driftCount > 0) ? EXIT.drift : EXIT.done;
  },
};

const apply: Command = {
  name: 'policy apply',
  summary: 'Change a store to match a policy file, after showing the exact effect',
  arguments: [{ name: 'FILE', optional: true }],
  options: {
    'dry-run': { help: 'show the differences, and change nothing' },
    wait: { value: 'DURATION', help: 'longest time to wait until all keys have been read (default: 60s)' },
    ...YES,
  },
  notes: [
    ...FILE_NOTES,
    'The store is compared with this policy from now on: differences are findings in the window. Nothing enforces it.',
  ],
  store: 'opens',
  async run(session) {
    const { args, terminal } = session;
    const targets = await openPolicies(session);
    const answers: unknown[] = [];
    for (const target of targets) {
      const answer = await untilComplete(session, target);
      if (!terminal.json) for (const line of formatDiff(target.connection, answer)) terminal.message(line);
      answers.push(args.has('dry-run') ? answer : await applyTo(session, target));
    }
    await terminal.answer(answers.length === 1 ? answers[0] : answers, () =>
      args.has('dry-run') ? ['Nothing was changed.'] : [],
    );
    return undefined;
  },
};

async function applyTo(session: Session, { client, policy, connection }: PolicyTarget): Promise<unknown> {
  const started = await confirmRefused(session, expect =>
    client.policy.apply({
      ...(policy === undefined ? {} : { policy }),
      ...(expect === undefined ? {} : { expect }),
    }),
  );
  try {
    const job = await followJob(session, client, started);
    session.terminal.message(`${connection === null ? '' : `${connection}: `}${job.result ?? 'done'}.`);
    return job;
  } catch (error) {
    const job = await client.jobs.get({ job: started.id });
    for (const line of formatFailures(job)) session.terminal.message(line);
    throw error;
  }
}

function formatDiff(connection: string | null, { drift, driftCount, effect }: PolicyDiff): string[] {
  const of = connection === null ? '' : `${connection}: `;
  if (driftCount === 0) return [`${of}No differences.`];
  const more = driftCount - drift.length;
  return [
    `${of}${formatCount(driftCount)} ${driftCount === 1 ? 'difference' : 'differences'}`,
    ...drift.map(({ sentence, due, obstacle }) => {
      const makesDue = due === null || due === 0 ? '' : ` Applying makes ${formatDocuments(due)} due.`;
      return `  ${sentence}${makesDue}${obstacle === null ? '' : ` Not applied: ${obstacle}`}`;
    }),
    ...(more > 0 ? [`  … and ${formatCount(more)} more`] : []),
    ...(effect === null || effect.due === 0
      ? []
      : [`  Applying the policy makes ${formatDocuments(effect.due)} due in total.`]),
  ];
}

export const policyCommands: readonly Command[] = [exportPolicy, diff, apply];
