import { t } from '@lingui/core/macro';
import type { Policy } from '../../../shared/contract/policy.ts';
import { MOST_POLICY_BYTES } from '../../../shared/contract/policy.ts';
import { client } from '../../api.ts';
import { chooseFile } from '../../components/choose-file.ts';
import { openFileSink } from '../../components/file-sink.ts';

/** A policy from a file that a person opened. */
export interface GivenPolicy {
  readonly file: string;
  readonly policy: Policy;
}

/** The YAML parser is loaded with the first file. */
const documents = () => import('../../../shared/policy/policy-document.ts');

/** Writes the present policy as YAML. Must be called in a click handler. */
export async function savePolicy(connection: string): Promise<void> {
  const sink = await openFileSink(
    `${connection.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.policy.yaml`,
    'application/yaml',
  );
  if (sink === null) return;
  try {
    const [{ policy }, { formatPolicyFile }] = await Promise.all([client.policy.export(), documents()]);
    await sink.write(formatPolicyFile(policy, 'yaml'));
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/**
 * Opens a policy file; of several connections, the part of the one with one of `names`. Null: cancelled. Throws a message
 * for a person if the file is not valid.
 */
export async function openPolicy(names: readonly string[]): Promise<GivenPolicy | null> {
  const file = await chooseFile('.yaml,.yml,.json,application/yaml,application/json,text/plain');
  if (file === null) return null;
  if (file.size > MOST_POLICY_BYTES) throw new Error(t`A policy file has at most 1 MiB.`);
  const { parsePolicyFile } = await documents();
  const read = parsePolicyFile(await file.text());
  if ('collections' in read)
    return { file: file.name, policy: { version: 1, collections: read.collections } };
  const name = Object.keys(read.connections).find(one => names.includes(one));
  const part = name === undefined ? undefined : read.connections[name];
  if (part === undefined)
    throw new Error(
      t`The file has no policy for this connection. It names ${Object.keys(read.connections).join(', ')}.`,
    );
  return { file: file.name, policy: { version: 1, collections: part.collections } };
}
