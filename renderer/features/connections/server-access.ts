import { t } from '@lingui/core/macro';
import type { SecretName, ServerTarget, ServerWithSecrets } from '../../../shared/contract/connections.ts';
import type { ServerKind } from '../../../shared/model/transport/server-address.ts';
import { formatSshServer, parseSshServer } from '../../../shared/model/transport/ssh-server.ts';

/** How a server is reached beside its address, as typed. */
export interface ServerAccess {
  secret: string;
  /** Null: a direct connection. */
  ssh: { server: string; jump: string; key: string; passphrase: string; knownHosts: string } | null;
  /** Null: no certificates of its own. */
  certificates: { ca: string; cert: string; key: string; passphrase: string } | null;
  /** Where the host finds secrets of an existing connection; a typed secret replaces it. */
  references: Partial<Record<SecretName, string>>;
}

export const DIRECT_ACCESS: ServerAccess = { secret: '', ssh: null, certificates: null, references: {} };
export const EMPTY_SSH = { server: '', jump: '', key: '', passphrase: '', knownHosts: '' };
export const EMPTY_CERTIFICATES = { ca: '', cert: '', key: '', passphrase: '' };

/** Returns the access of an existing connection; its secrets are not known, so their fields are empty. */
export function accessOf(target: ServerTarget): ServerAccess {
  const { ssh, tls } = target;
  return {
    secret: '',
    ssh:
      ssh === undefined
        ? null
        : {
            server: formatSshServer(ssh),
            jump: ssh.jump === undefined ? '' : formatSshServer(ssh.jump),
            key: ssh.key ?? '',
            passphrase: '',
            knownHosts: ssh.knownHosts ?? '',
          },
    certificates:
      tls === undefined
        ? null
        : { ca: tls.ca ?? '', cert: tls.cert ?? '', key: tls.key ?? '', passphrase: '' },
    references: given({
      secret: target.secretFrom,
      passphrase: target.passphraseFrom,
      tlsPassphrase: target.tlsPassphraseFrom,
    }),
  };
}

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
  { secret, ssh, certificates, references }: ServerAccess,
): ServerWithSecrets {
  const server = ssh === null ? null : parseSshServer(ssh.server);
  const jump = ssh === null ? null : parseSshServer(ssh.jump);
  const { passphrase: tlsPassphrase = '', ...files } = certificates ?? {};
  const tls = given(files);
  const secrets = given({ secret, passphrase: ssh?.passphrase, tlsPassphrase });
  return {
    kind,
    uri: uri.trim(),
    ...secrets,
    ...given({
      secretFrom: secrets.secret === undefined ? references.secret : undefined,
      passphraseFrom: secrets.passphrase === undefined && ssh !== null ? references.passphrase : undefined,
      tlsPassphraseFrom:
        secrets.tlsPassphrase === undefined && certificates !== null ? references.tlsPassphrase : undefined,
    }),
    ...(ssh !== null &&
      server !== null && {
        ssh: {
          ...server,
          ...(jump !== null && { jump }),
          ...given({ key: ssh.key, knownHosts: ssh.knownHosts }),
        },
      }),
    ...(Object.keys(tls).length > 0 && { tls }),
  };
}

function given<Name extends string>(
  texts: Partial<Record<Name, string | undefined>>,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name in texts) if (texts[name] !== undefined && texts[name] !== '') found[name] = texts[name];
  return found;
}
