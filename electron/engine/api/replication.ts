import { permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { checkName } from '../../../shared/model/names.ts';
import { checkSameVersions, REPLICATION_VERSIONS } from '../../../shared/model/replication-protocol.ts';
import type { Caller } from '../access/caller.ts';
import { untilCommitted } from '../feeds/next-commit.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';

/** Each keeps the log from its place on: a token that may follow cannot make the store keep a list without end. */
const MOST_FOLLOWERS = 100;

/** What followers ask of this store as their leader [V5]. */
export const replication = {
  register: api.replication.register.handler(({ input, context: { engine, caller } }) => {
    const { followers, replica } = engine.backend;
    if (replica !== null) {
      throw new SandglassError('READ_ONLY', 'This store mirrors another itself. Follow that one.');
    }
    // Before it is registered: for a follower that cannot go on nothing is kept.
    checkSameVersions({ leader: REPLICATION_VERSIONS, follower: input });
    // Its name is listed wherever this store is looked at.
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
  snapshot: api.replication.snapshot.handler(
    async ({ input: { follower, after, limit }, context: { engine, caller } }) => {
      checkToken(engine, caller, follower);
      const { followers, reads, revision } = engine.backend;
      // Until it is through, it needs the log from its first page on.
      followers.recordProgress(follower, after === null ? revision : followers.revisionOf(follower));
      const page = await reads.replicaSnapshot(after, limit);
      return { leaderNow: engine.clock.now(), ...page };
    },
  ),
  log: api.replication.log.handler(
    async ({ input: { follower, after, purged, limit, waitMs }, context: { engine, caller }, signal }) => {
      checkToken(engine, caller, follower);
      const { followers, purges, reads } = engine.backend;
      followers.recordProgress(follower, after);
      purges.confirm(follower, purged);
      const { entries } = await untilCommitted(
        engine,
        () => reads.replicaEntries(after, limit),
        found => found.entries.length > 0,
        { waitMs, signal },
      );
      return { ...heartbeat(engine), purge: purges.latest, entries };
    },
  ),
  followers: api.replication.followers.handler(({ context: { engine } }) => {
    const { followers, revision } = engine.backend;
    return followers.list().map(follower => ({
      ...follower,
      behind: Math.max(0, revision - follower.revision),
    }));
  }),
  forget: api.replication.forget.handler(({ input, context: { engine } }) => {
    engine.backend.followers.forget(input.follower);
    return { forgotten: true as const };
  }),
};

/**
 * Throws PERMISSION_DENIED for a follower that another token registered, as long as that one is valid: with its name a token
 * could confirm that the other's file holds nothing of a purge any more [P1, X4]. Whoever may configure may forget it anyway.
 */
function checkToken({ backend }: Engine, caller: Caller, follower: string): void {
  const token = backend.followers.tokenOf(follower);
  if (token === null || token === (caller.token ?? '') || permits(caller.permission, 'configure')) return;
  if (token !== '' && !backend.tokens.has(token)) return;
  throw new SandglassError(
    'PERMISSION_DENIED',
    `The follower ${follower} is registered with another token. Use that one; or revoke it, or forget the follower (Settings, Backup and followers).`,
    { follower, user: caller.user },
  );
}

/** Throws BAD_REQUEST for one more than 100. */
function refuseTooMany(known: readonly { name: string }[], name: string): void {
  if (known.length < MOST_FOLLOWERS || known.some(one => one.name === name)) return;
  throw new SandglassError(
    'BAD_REQUEST',
    `${MOST_FOLLOWERS} followers are registered, which is the most. Forget one that is not needed (Settings, Backup and followers).`,
    { follower: name },
  );
}

/** What is true at one moment: whoever has come to that revision may judge what is due by that time. */
function heartbeat({ backend, clock }: Engine): { leaderNow: number; revision: number } {
  return { leaderNow: clock.now(), revision: backend.revision };
}
