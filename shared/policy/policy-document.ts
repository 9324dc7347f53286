import {
  type CollectionPolicy,
  type IndexPolicy,
  MOST_POLICY_BYTES,
  type Policy,
  type PolicyFile,
  policyFile,
} from '../contract/policy.ts';
import { formatExactDuration, parseDuration } from '../model/duration.ts';
import { SandglassError } from '../model/errors.ts';
import { formatYaml, parseYaml } from '../model/yaml-text.ts';

/** Parses a policy file, YAML or JSON. Throws INVALID_FILE with the place of each mistake. */
export function parsePolicyFile(text: string): PolicyFile {
  if (text.length > MOST_POLICY_BYTES)
    throw new SandglassError('INVALID_FILE', 'A policy file has at most 1 MiB.', { bytes: text.length });
  const read = policyFile.safeParse(parseYaml(text));
  if (read.success) return read.data;
  throw new SandglassError(
    'INVALID_FILE',
    `The policy is not valid. ${problemsIn(read.error.issues).join(' ')}`,
  );
}

/** Most mistakes in the message of an error. */
const MOST_PROBLEMS = 5;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The mistakes by each form that the value may have. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** Returns the mistakes with their places; of several forms, those of the one that the value resembles most. */
function problemsIn(issues: readonly Issue[], at: readonly PropertyKey[] = []): string[] {
  return issues
    .flatMap(({ path, message, errors = [] }) => {
      const place = [...at, ...path];
      const [nearest] = [...errors].sort((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
      if (nearest !== undefined && depthOf(nearest) > 0) return problemsIn(nearest, place);
      return [place.length === 0 ? message : `${place.map(String).join('.')}: ${message}`];
    })
    .slice(0, MOST_PROBLEMS);
}

/** Returns the length of the longest path to a mistake. */
function depthOf(issues: readonly Issue[]): number {
  return Math.max(
    0,
    ...issues.map(({ path, errors = [] }) => path.length + Math.max(0, ...errors.map(depthOf))),
  );
}

/** Formats a policy of one connection, or of several by name, with durations as text and without default parts. */
export function formatPolicyFile(
  policies: Policy | ReadonlyMap<string, Policy>,
  format: 'yaml' | 'json',
): string {
  const file = {
    version: 1,
    ...('collections' in policies
      ? { collections: collectionsOf(policies) }
      : {
          connections: Object.fromEntries(
            [...policies].map(([name, policy]) => [name, { collections: collectionsOf(policy) }]),
          ),
        }),
  };
  return format === 'json' ? `${JSON.stringify(file, null, 2)}\n` : formatYaml(file);
}

function collectionsOf({ collections }: Policy): object {
  return Object.fromEntries(
    Object.entries(collections).map(([name, policy]) => [name, collectionOf(policy)]),
  );
}

function collectionOf({ ttl, ttlIndexes }: CollectionPolicy): object {
  if (ttl !== undefined) {
    const { required, longest } = ttl;
    return { ttl: { required, ...(longest !== undefined && { longest: durationOf(longest) }) } };
  }
  const indexes = Object.entries(ttlIndexes ?? {}).map(([name, index]) => [name, indexOf(index)]);
  return { ttlIndexes: Object.fromEntries(indexes) };
}

function indexOf({ source, onExpire, schedule, limits, retention, partitions }: IndexPolicy): object {
  return {
    source:
      source.kind !== 'expression' && source.expireAfter !== undefined
        ? { ...source, expireAfter: durationOf(source.expireAfter) }
        : source,
    ...(onExpire.action !== 'delete' && { onExpire }),
    ...(schedule.mode !== 'exact' && { schedule }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(retention !== null && { retention: durationOf(retention) }),
    ...(partitions !== undefined && { partitions }),
  };
}

/** Returns `30d`; the number of seconds if it is not exact as a text. */
function durationOf(seconds: number): string | number {
  const text = formatExactDuration(seconds);
  const read = parseDuration(text);
  return 'seconds' in read && read.seconds === seconds ? text : seconds;
}
