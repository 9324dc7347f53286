import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { TlsFiles } from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

/** An encrypted key, as PKCS #8 and as OpenSSL's own format. */
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

const PURPOSE: Readonly<Record<keyof TlsFiles, string>> = {
  ca: 'certificate authority',
  cert: 'client certificate',
  key: 'key of the client certificate',
};

/**
 * Reads a certificate authority and a client certificate, in PEM. The authority replaces those of the system. Throws
 * INVALID_CONNECTION if a file cannot be read, or has other content, and PASSPHRASE_REQUIRED if the client key is encrypted
 * and `passphrase` does not decrypt it.
 */
export async function readTlsFiles(
  files: TlsFiles | undefined,
  passphrase: string | undefined,
): Promise<SecureContextOptions> {
  const options = {
    ca: await content('ca', files?.ca),
    cert: await content('cert', files?.cert),
    key: await content('key', files?.key),
  };
  const given: SecureContextOptions = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  if (options.key !== undefined) {
    checkPassphrase(options.key, passphrase, files?.key);
    if (passphrase !== undefined) given.passphrase = passphrase;
  }
  try {
    // TLS would leave out an authority that cannot be read.
    for (const certificate of [options.ca, options.cert]) if (certificate) new X509Certificate(certificate);
    createSecureContext(given);
  } catch (error) {
    throw invalid(`The certificates cannot be used: ${messageOf(error)}. They are in PEM.`);
  }
  return given;
}

function checkPassphrase(key: Buffer, passphrase: string | undefined, file = ''): void {
  try {
    createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    if (!ENCRYPTED.test(key.toString('latin1')))
      throw invalid(`The key of the client certificate (${file}) cannot be used: ${messageOf(error)}.`);
    throw new SandglassError(
      'PASSPHRASE_REQUIRED',
      passphrase === undefined
        ? `The key of the client certificate, ${file}, has a passphrase.`
        : `The passphrase does not open the key of the client certificate, ${file}.`,
      { field: 'tlsPassphrase' },
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function content(name: keyof TlsFiles, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const bytes = await readFile(file).catch((error: Error) => {
    throw invalid(`The file of the ${PURPOSE[name]} cannot be read: ${error.message}.`);
  });
  if (bytes.includes('-----BEGIN ')) return bytes;
  throw invalid(`The file of the ${PURPOSE[name]} (${file}) is not in PEM.`);
}

function invalid(message: string): SandglassError {
  return new SandglassError('INVALID_CONNECTION', message, { field: 'tls' });
}
