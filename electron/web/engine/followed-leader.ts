import { readFile } from 'node:fs/promises';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { FollowedLeader } from '../../engine/protocol/thread-messages.ts';

export interface FollowFlags {
  followTokenFile: string | undefined;
  /** Seconds. */
  syncTimeout: number;
}

/**
 * Returns the leader with its token, from a file or from SANDGLASS_FOLLOW_TOKEN [V5]. Throws BAD_REQUEST without a
 * token.
 */
export async function followedLeader(
  flags: FollowFlags,
  url: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<FollowedLeader> {
  const { followTokenFile, syncTimeout } = flags;
  const token =
    followTokenFile === undefined
      ? environment.SANDGLASS_FOLLOW_TOKEN?.trim()
      : (await readFile(followTokenFile, 'utf8')).trim();
  if (token === undefined || token === '') {
    throw new SandglassError(
      'BAD_REQUEST',
      `Following ${url} needs a token. Create one on the leader with the permission follow, and put it into a file for --follow-token-file FILE, or into SANDGLASS_FOLLOW_TOKEN.`,
      { leader: url },
    );
  }
  return { url, token, syncTimeoutMs: syncTimeout * 1000 };
}
