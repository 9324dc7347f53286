import { SandglassError } from './errors.ts';
import { READING_RULES_VERSION } from './reading-rules.ts';

/**
 * Version of the calls between a follower and its leader (shared/contract/replication.ts) and of the definitions that a
 * leader sends. Raise it by one with every change that makes one side misread the other.
 */
const REPLICATION_PROTOCOL = 5;

/** The versions that must be equal on a leader and its follower. Each side sends both first. */
export const REPLICATION_VERSIONS = { rules: READING_RULES_VERSION, protocol: REPLICATION_PROTOCOL };

/** Versions as received; a release that is older than a version omits it. */
type ReceivedVersions = { readonly [Name in keyof typeof REPLICATION_VERSIONS]?: number | undefined };

/** The protocol is compared first: with different protocols, the version of the rules may be misread. */
const COMPARED = [
  { name: 'protocol', ifOmitted: 1, label: 'the replication protocol' },
  { name: 'rules', ifOmitted: 0, label: 'the reading rules, by which deadlines are computed' },
] as const;

/**
 * Throws INCOMPATIBLE, which names the side to update, unless a leader and its follower have the same versions [V5].
 */
export function checkSameVersions(versions: { leader: ReceivedVersions; follower: ReceivedVersions }): void {
  for (const { name, ifOmitted, label } of COMPARED) {
    const leader = versions.leader[name] ?? ifOmitted;
    const follower = versions.follower[name] ?? ifOmitted;
    if (leader === follower) continue;
    throw new SandglassError(
      'INCOMPATIBLE',
      `The leader has version ${leader} of ${label}, the follower version ${follower}. Update Sandglass on the ${leader < follower ? 'leader' : 'follower'}.`,
      { leader, follower },
    );
  }
}
