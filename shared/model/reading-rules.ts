import { SandglassError } from './errors.ts';

/**
 * The version of the rules by which documents are read into reference times [D2 to D8]. An entry of a TTL index is found
 * again only by reading its document again, so a store records with which version each index was built, and builds an index
 * of another version anew when it is opened (index-renewal.ts). A follower and its leader must have the same.
 *
 * Raise it by one with every change by which some document, however unlikely, gets another reference time or another
 * reason for having none: how dates, numbers and formats are read, what a CEL function or operator gives, what an
 * expression may cost, what a stored body is parsed to. What only makes reading faster leaves it as it is.
 */
export const READING_RULES_VERSION = 2;

/**
 * Throws INCOMPATIBLE unless a leader and its follower have the same version: they would compute different deadlines for the
 * same documents [V5]. A side that tells none is of a release before these versions.
 */
export function checkSameRules({
  leader = 0,
  follower = 0,
}: {
  leader: number | undefined;
  follower: number | undefined;
}): void {
  if (leader === follower) return;
  const older = leader < follower ? 'leader' : 'follower';
  throw new SandglassError(
    'INCOMPATIBLE',
    `The leader computes deadlines by version ${leader} of the reading rules, the follower by version ${follower}. Update Sandglass on the ${older}.`,
    { leader, follower },
  );
}
