import { SandglassError } from './errors.ts';
import { READING_RULES_VERSION } from './reading-rules.ts';

/**
 * Version of the calls between a follower and its leader (shared/contract/replication.ts) and of the definitions that a
 * leader sends. Raise it by one with every change by which one side would misread the other.
 */
const REPLICATION_PROTOCOL = 4;

/** The versions that a leader and its follower must have in common. Each side sends both before anything else. */
export const REPLICATION_VERSIONS = { rules: READING_RULES_VERSION, protocol: REPLICATION_PROTOCOL };

/** Versions as received; a release from before a version existed omits it. */
type ReceivedVersions = { readonly [Name in keyof typeof REPLICATION_VERSIONS]?: number | undefined };

/** The protocol is compared first: between different protocols the version of the rules may be misread. */
const COMPARED = [
  { name: 'protocol', ifOmitted: 1, label: 'the replication protocol' },
  { name: 'rules', ifOmitted: 0, label: 'the reading rules, by which deadlines are computed' },
] as const;

/** Throws INCOMPATIBLE, naming the side to update, unless a leader and its follower have the same versions [V5]. */
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
