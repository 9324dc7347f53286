import { SandglassError } from './errors.ts';
import { READING_RULES_VERSION } from './reading-rules.ts';

/**
 * The version of what a follower and its leader say to each other (shared/contract/replication.ts) and of the definitions
 * that a leader sends. Raise it by one with every change by which one side would misread the other. 1: before it was told.
 */
export const REPLICATION_PROTOCOL = 2;

/** Throws INCOMPATIBLE, naming the side to update, unless a leader and its follower have the same version [V5]. */
export function checkSameProtocol({
  leader = 1,
  follower = 1,
}: {
  leader: number | undefined;
  follower: number | undefined;
}): void {
  if (leader === follower) return;
  const older = leader < follower ? 'leader' : 'follower';
  throw new SandglassError(
    'INCOMPATIBLE',
    `The leader speaks version ${leader} of the replication protocol, the follower version ${follower}. Update Sandglass on the ${older}.`,
    { leader, follower },
  );
}

/** Each side tells both before anything else. */
export const REPLICATION_VERSIONS = { rules: READING_RULES_VERSION, protocol: REPLICATION_PROTOCOL };
