import { t } from '@lingui/core/macro';
import type { NamedTarget } from '../../../shared/contract/connections.ts';
import type { ServerKind } from '../../../shared/model/transport/server-address.ts';
import { parseSshServer } from '../../../shared/model/transport/ssh-server.ts';

/** How a server is reached beside its address, as typed. */
export interface ServerAccess {
  secret: string;
  /** Null: a direct connection. */
  ssh: { server: string; jump: string; key: string; passphrase: string; knownHosts: string } | null;
  /** Null: no certificates of its own. */
  certificates: { ca: string; cert: string; key: string } | null;
}

export const DIRECT_ACCESS: ServerAccess = { secret: '', ssh: null, certificates: null };
export const EMPTY_SSH = { server: '', jump: '', key: '', passphrase: '', knownHosts: '' };
export const EMPTY_CERTIFICATES = { ca: '', cert: '', key: '' };

/** Returns the problem of the SSH servers as typed; undefined: none. */
export function sshProblem({ ssh }: ServerAccess): string | undefined {
  if (ssh === null) return undefined;
  const isJumpGiven = ssh.jump.trim() !== '';
  if (parseSshServer(ssh.server) !== null && (!isJumpGiven || parseSshServer(ssh.jump) !== null))
    return undefined;
  return t`An SSH server looks like ada@bastion, or ada@bastion:2222.`;
}

/** Returns the target of a request. Parts that are invalid or empty are left out. */
export function serverTarget(
  kind: ServerKind,
  uri: string,
  { secret, ssh, certificates }: ServerAccess,
): NamedTarget {
  const server = ssh === null ? null : parseSshServer(ssh.server);
  const jump = ssh === null ? null : parseSshServer(ssh.jump);
  const tls = given(certificates ?? {});
  return {
    kind,
    uri: uri.trim(),
    ...given({ secret }),
    ...(ssh !== null &&
      server !== null && {
        ssh: {
          ...server,
          ...(jump !== null && { jump }),
          ...given({ key: ssh.key, knownHosts: ssh.knownHosts }),
        },
        ...given({ passphrase: ssh.passphrase }),
      }),
    ...(Object.keys(tls).length > 0 && { tls }),
  };
}

function given<Name extends string>(texts: Partial<Record<Name, string>>): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name in texts) if (texts[name] !== undefined && texts[name] !== '') found[name] = texts[name];
  return found;
}
