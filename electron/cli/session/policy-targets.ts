import { readFileSync, statSync } from 'node:fs';
import type { Client } from '../../../shared/contract/index.ts';
import type { PolicyDiff } from '../../../shared/contract/policy.ts';
import { MOST_POLICY_BYTES, type Policy, type PolicyFile } from '../../../shared/contract/policy.ts';
import { parsePolicyFile } from '../../../shared/policy/policy-document.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed, interrupted } from '../output/failures.ts';
import type { Session } from './command.ts';

/** A connection with the policy that it is compared with; undefined: its expected policy. */
export interface PolicyTarget {
  readonly client: Client;
  /** The name that the file gives; null: the connection of the command. */
  readonly connection: string | null;
  readonly policy: Policy | undefined;
}

/** Opens every connection that the policy file names. Throws CommandFailed, INVALID_FILE, and as `open` does. */
export async function openPolicies(session: Session): Promise<PolicyTarget[]> {
  const { args } = session;
  const name = args.optional('FILE');
  if (name === undefined) {
    const { client } = await session.open();
    return [{ client, connection: null, policy: undefined }];
  }
  const file = await readPolicyFile(session, name);
  if ('collections' in file) {
    const { collections } = file;
    const { client } = await session.open();
    return [{ client, connection: null, policy: { version: 1, collections } }];
  }
  const chosen = args.text('connection');
  if (chosen !== undefined) throw args.wrong(`${name} names its connections: give no --connection.`);
  const targets: PolicyTarget[] = [];
  for (const [connection, { collections }] of Object.entries(file.connections)) {
    const { client } = await session.open({ connection });
    targets.push({ client, connection, policy: { version: 1, collections } });
  }
  return targets;
}

async function readPolicyFile({ input }: Session, name: string): Promise<PolicyFile> {
  if (name !== '-') {
    if (statSync(name).size > MOST_POLICY_BYTES) throw tooLarge(name);
    return parsePolicyFile(readFileSync(name, 'utf8'));
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk instanceof Uint8Array ? chunk : String(chunk));
    bytes += part.length;
    if (bytes > MOST_POLICY_BYTES) throw tooLarge('The input');
    chunks.push(part);
  }
  return parsePolicyFile(Buffer.concat(chunks).toString('utf8'));
}

function tooLarge(name: string): CommandFailed {
  return new CommandFailed(EXIT.failed, `${name} is larger than 1 MiB, the most for a policy file.`);
}

/** Time between two questions, ms. */
const ASK_EVERY_MS = 250;
const DEFAULT_WAIT_S = 60;

/**
 * Compares a connection with its policy, once all keys of a remote store have been read. Throws CommandFailed if that
 * takes longer than --wait.
 */
export async function untilComplete(
  { args, clock, signal, terminal }: Session,
  { client, policy }: PolicyTarget,
): Promise<PolicyDiff> {
  const given = policy === undefined ? {} : { policy };
  const stopAt = clock.elapsed() + 1000 * (args.seconds('wait') ?? DEFAULT_WAIT_S);
  for (;;) {
    const { incomplete } = await client.policy.diff({ ...given, count: false });
    if (incomplete === null) return client.policy.diff(given);
    if (clock.elapsed() > stopAt) throw new CommandFailed(EXIT.unreachable, `Not compared: ${incomplete}`);
    terminal.progress(incomplete);
    await clock.sleep(ASK_EVERY_MS, signal);
    if (signal.aborted) throw interrupted('Interrupted.');
  }
}
