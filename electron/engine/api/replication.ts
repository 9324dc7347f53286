import { permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { checkName } from '../../../shared/model/names.ts';
import { checkSameVersions, REPLICATION_VERSIONS } from '../../../shared/model/replication-protocol.ts';
import type { Caller } from '../access/caller.ts';
import { waitForCommits } from '../feeds/next-commit.ts';
import type { EmbeddedEngine } from './context.ts';
import { embedded } from './procedure-guard.ts';

/**
 * Each follower keeps the log from its position on: the limit keeps a token with `follow` from filling the disk and
 * the list.
 */
const MOST_FOLLOWERS = 100;

/** Calls of followers to this store as their leader [V5]. */
export const replication = {
  register: embedded.replication.register.handler(({ input, context: { engine, caller } }) => {
    const { followers, replica } = engine.backend;
    if (replica !== null) {
      throw new SandglassError('READ_ONLY', 'This store is a mirror itself. Follow its leader.');
    }
    // Checked before the registration: nothing is kept for a follower that cannot replicate.
    checkSameVersions({ leader: REPLICATION_VERSIONS, follower: input });
    // The name appears in lists and messages.
    checkName('follower', input.follower);
    refuseTooMany(followers.list(), input.follower);
    checkToken(engine, caller, input.follower);
    const registered = followers.register(input.follower, caller.token ?? '');
    return {
      ...heartbeat(engine),
      storeId: followers.storeId,
      ...REPLICATION_VERSIONS,
      purge: engine.backend.purges.latest,
      ...registered,
    };
  }),
  snapshot: embedded.replication.snapshot.handler(
    async ({ input: { follower, after, limit }, context: { engine, caller } }) => {
      checkToken(engine, caller, follower);
      const { followers, reads, revision } = engine.backend;
      // Until its snapshot is complete, it needs the log from its first page on.
      followers.recordProgress(follower, after === null ? revision : followers.revisionOf(follower));
      const page = await reads.replicaSnapshot(after, limit);
      return { leaderNow: engine.clock.now(), ...page };
    },
  ),
  log: embedded.replication.log.handler(
    async ({ input: { follower, after, purged, limit, waitMs }, context: { engine, caller }, signal }) => {
      checkToken(engine, caller, follower);
      const { followers, purges, reads } = engine.backend;
      followers.recordProgress(follower, after);
      purges.confirm(follower, purged);
      const { entries } = await waitForCommits(
        engine,
        () => reads.replicaEntries(after, limit),
        found => found.entries.length > 0,
        { waitMs, signal },
      );
      return { ...heartbeat(engine), purge: purges.latest, ticks: followers.ticks(), entries };
    },
  ),
  followers: embedded.replication.followers.handler(({ context: { engine } }) => {
    const { followers, revision } = engine.backend;
    return followers.list().map(follower => ({
      ...follower,
      behind: Math.max(0, revision - follower.revision),
    }));
  }),
  forget: embedded.replication.forget.handler(({ input, context: { engine } }) => {
    engine.backend.followers.forget(input.follower);
    return { forgotten: true as const };
  }),
};

/**
 * Throws PERMISSION_DENIED for a follower that another, still valid token registered: a token could otherwise confirm
 * the purges of another follower's file [P1, X4]. Callers with `configure` may remove any.
 */
function checkToken({ backend }: EmbeddedEngine, caller: Caller, follower: string): void {
  const token = backend.followers.tokenOf(follower);
  if (token === null || token === (caller.token ?? '') || permits(caller.permission, 'configure')) return;
  if (token !== '' && !backend.tokens.has(token)) return;
  throw new SandglassError(
    'PERMISSION_DENIED',
    `The follower ${follower} is registered with another token. Use that one; or revoke it, or forget the follower (Settings, Backup and followers).`,
    { follower, user: caller.user },
  );
}

/** Throws BAD_REQUEST beyond 100 followers. */
function refuseTooMany(known: readonly { name: string }[], name: string): void {
  if (known.length < MOST_FOLLOWERS || known.some(one => one.name === name)) return;
  throw new SandglassError(
    'BAD_REQUEST',
    `${MOST_FOLLOWERS} followers are registered, the maximum. Forget one that is not needed (Settings, Backup and followers).`,
    { follower: name },
  );
}

/** Time and revision of one moment: a follower at that revision may judge deadlines by that time. */
function heartbeat({ backend, clock }: EmbeddedEngine): { leaderNow: number; revision: number } {
  return { leaderNow: clock.now(), revision: backend.revision };
}
