import { readFile } from 'node:fs/promises';
import { SandglassError } from '../../shared/model/errors.ts';
import type { FollowedLeader } from '../engine/platform/thread-messages.ts';

export interface FollowFlags {
  followToken: string | undefined;
  followTokenFile: string | undefined;
  /** Seconds. */
  syncTimeout: number;
}

/** The leader that the flags name [V5]. Throws BAD_REQUEST where no token lets us in there. */
export async function followedLeader(flags: FollowFlags, url: string): Promise<FollowedLeader> {
  const { followToken, followTokenFile, syncTimeout } = flags;
  const token =
    followTokenFile === undefined ? followToken : (await readFile(followTokenFile, 'utf8')).trim();
  if (token === undefined || token === '') {
    throw new SandglassError(
      'BAD_REQUEST',
      `The leader at ${url} lets nobody in without a token. Make one there with the permission follow, and name the file that holds it: --follow-token-file FILE.`,
      { leader: url },
    );
  }
  return { url, token, syncTimeoutMs: syncTimeout * 1000 };
}
