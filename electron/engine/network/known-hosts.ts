import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatHost } from '../../../shared/model/transport/server-address.ts';

const SSH_PORT = 22;

/** One key of a `known_hosts` file. */
interface KnownKey {
  readonly file: string;
  readonly line: number;
  readonly isRevoked: boolean;
  /** Names as written: hashed, or patterns separated by commas. */
  readonly names: string;
  readonly type: string;
  readonly key: Buffer;
}

/** Keys of SSH servers, as OpenSSH keeps them; certificates of an authority (`@cert-authority`) are not among them. */
export class KnownHosts {
  readonly #keys: readonly KnownKey[];
  readonly #files: readonly string[];

  constructor(files: readonly { file: string; text: string }[]) {
    this.#files = files.map(({ file }) => file);
    this.#keys = files.flatMap(({ file, text }) => parse(file, text));
  }

  /**
   * Reads the file of a connection or, if it names none, the files of OpenSSH; of those, missing files are empty.
   * Throws INVALID_CONNECTION if the named file cannot be read.
   */
  static async read(named: string | undefined): Promise<KnownHosts> {
    if (named !== undefined) {
      const text = await readFile(named, 'utf8').catch((error: Error) => {
        throw new SandglassError(
          'INVALID_CONNECTION',
          `The file of known hosts cannot be read: ${error.message}.`,
          { field: 'ssh', file: named },
        );
      });
      return new KnownHosts([{ file: named, text }]);
    }
    const files = [join(homedir(), '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'];
    const read = files.map(async file => ({ file, text: await readFile(file, 'utf8').catch(() => '') }));
    return new KnownHosts(await Promise.all(read));
  }

  /** Types of the keys that a server may have, so that it is asked for one of these first; empty: it is unknown. */
  typesOf(host: string, port: number): string[] {
    const known = this.#of(host, port).filter(({ isRevoked }) => !isRevoked);
    return [...new Set(known.map(({ type }) => type))];
  }

  /** Throws HOST_KEY_UNKNOWN or HOST_KEY_CHANGED unless `key` is listed for the server. */
  check(host: string, port: number, key: Buffer): void {
    const known = this.#of(host, port);
    const found = known.filter(one => one.key.equals(key));
    const revoked = found.find(({ isRevoked }) => isRevoked);
    const name = formatHost({ host, port });
    const shown = `${typeOf(key)} ${fingerprint(key)}`;
    if (revoked !== undefined) {
      throw new SandglassError(
        'HOST_KEY_CHANGED',
        `The SSH server ${name} has the key ${shown}, which line ${revoked.line} of ${revoked.file} revokes.`,
        { host: name, fingerprint: fingerprint(key) },
      );
    }
    if (found.length > 0) return;
    const other = known.find(({ type }) => type === typeOf(key)) ?? known[0];
    if (other !== undefined) {
      throw new SandglassError(
        'HOST_KEY_CHANGED',
        `The key of the SSH server ${name} has changed: it is ${shown}, and line ${other.line} of ${other.file} has ${other.type} ${fingerprint(other.key)}. Another machine may be answering in its place. If the key was replaced on purpose, correct that line.`,
        { host: name, fingerprint: fingerprint(key) },
      );
    }
    throw new SandglassError(
      'HOST_KEY_UNKNOWN',
      `The key of the SSH server ${name} is not in ${this.#files.join(' or ')}: it is ${shown}. Compare it with the server’s own, and add it, for example by connecting once with ssh.`,
      { host: name, fingerprint: fingerprint(key) },
    );
  }

  #of(host: string, port: number): KnownKey[] {
    const name = port === SSH_PORT ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
    return this.#keys.filter(({ names }) => matches(names, name));
  }
}

function parse(file: string, text: string): KnownKey[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
    const [names, type, key] = words;
    if (names === undefined || names.startsWith('#') || type === undefined || key === undefined) return [];
    if (marker === '@cert-authority') return [];
    const isRevoked = marker === '@revoked';
    return [{ file, line: index + 1, isRevoked, names, type, key: Buffer.from(key, 'base64') }];
  });
}

function matches(names: string, name: string): boolean {
  if (names.startsWith('|1|')) {
    const [, , salt = '', hash = ''] = names.split('|');
    const wanted = Buffer.from(hash, 'base64');
    const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
    return wanted.length === found.length && timingSafeEqual(wanted, found);
  }
  const patterns = names.toLowerCase().split(',');
  const isMatch = (pattern: string) => wildcard(pattern).test(name);
  if (patterns.some(one => one.startsWith('!') && isMatch(one.slice(1)))) return false;
  return patterns.some(one => !one.startsWith('!') && isMatch(one));
}

function wildcard(pattern: string): RegExp {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

/** Returns the type that a key begins with, as `ssh-ed25519`. */
function typeOf(key: Buffer): string {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  return key.toString('latin1', 4, 4 + length);
}

/** Returns the fingerprint as OpenSSH shows it. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
