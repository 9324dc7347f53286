import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reason for `runsHere`. */
export const NEEDS_OPENSSL = spawnSync('openssl', ['version']).status === 0 ? undefined : 'needs openssl';

/** Files in PEM. */
export interface Certificates {
  readonly folder: string;
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
  /** Copies of the client's key that a passphrase encrypts: as PKCS #8, and in the format that OpenSSL had before. */
  encryptedKeys(passphrase: string): readonly string[];
  /** A certificate of the server that expired yesterday, and its key. */
  readonly expired: { readonly cert: string; readonly key: string };
  remove(): void;
}

/** Makes an authority, and certificates of it for a server at 127.0.0.1 and a client, in a new folder of `parent`. */
export function makeCertificates(parent = tmpdir()): Certificates {
  const folder = mkdtempSync(join(parent, 'sandglass-tls-'));
  // Servers of databases run as users of their own.
  chmodSync(folder, 0o755);
  const at = (name: string) => join(folder, name);
  const key = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    at(name),
  ];
  openssl('req', '-x509', ...key('ca-key.pem'), '-out', at('ca.pem'), '-subj', '/CN=authority', '-days', '2');
  for (const name of ['server', 'client', 'expired']) {
    openssl('req', ...key(`${name}-key.pem`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`);
    // The gateway of etcd connects to etcd with the certificate of the server.
    writeFileSync(at(`${name}.ext`), 'extendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=IP:127.0.0.1\n');
    const authority = ['-CA', at('ca.pem'), '-CAkey', at('ca-key.pem'), '-CAcreateserial'];
    openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      ...authority,
      '-out',
      at(`${name}.pem`),
      '-days',
      name === 'expired' ? '-1' : '2',
      '-extfile',
      at(`${name}.ext`),
    );
  }
  const pair = (name: string) => ({ cert: at(`${name}.pem`), key: at(`${name}-key.pem`) });
  return {
    folder,
    ca: at('ca.pem'),
    server: pair('server'),
    client: pair('client'),
    expired: pair('expired'),
    encryptedKeys(passphrase) {
      const [pkcs8, traditional] = [at('client-pkcs8.pem'), at('client-traditional.pem')];
      const from = ['-in', at('client-key.pem'), '-passout', `pass:${passphrase}`];
      openssl('pkcs8', '-topk8', '-v2', 'aes256', ...from, '-out', pkcs8);
      openssl('ec', '-aes256', ...from, '-out', traditional);
      return [pkcs8, traditional];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function openssl(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ended: ${stderr}`);
}
