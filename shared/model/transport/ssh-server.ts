import { formatHost, parseServerAddress } from './server-address.ts';

/** An SSH server and the user that logs in to it. */
export interface SshServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

const SSH_PORT = 22;

/** Reads `user@host:port`, also after `ssh://`; the default port is 22. Returns null if the text is something else. */
export function parseSshServer(text: string): SshServerAddress | null {
  const trimmed = text.trim();
  const address = readAddress(trimmed.startsWith('ssh://') ? trimmed : `ssh://${trimmed}`);
  if (address === null) return null;
  const [one, ...others] = address.hosts;
  if (address.user === null || one === undefined || others.length > 0 || /[^/]/.test(address.path))
    return null;
  return { host: one.host, port: one.port ?? SSH_PORT, user: address.user };
}

/** Returns `user@host`, with the port if it is not 22. */
export function formatSshServer({ user, host, port }: SshServerAddress): string {
  const login = encodeURIComponent(user);
  return `${login}@${formatHost({ host, port: port === SSH_PORT ? null : port })}`;
}

function readAddress(text: string): ReturnType<typeof parseServerAddress> | null {
  try {
    return parseServerAddress(text);
  } catch {
    return null;
  }
}
