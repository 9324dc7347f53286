import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { TlsFiles } from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

const PURPOSE: Readonly<Record<keyof TlsFiles, string>> = {
  ca: 'certificate authority',
  cert: 'client certificate',
  key: 'key of the client certificate',
};

/**
 * Reads a certificate authority and a client certificate, in PEM. The authority replaces those of the system. Throws
 * INVALID_CONNECTION if a file cannot be read, or has other content.
 */
export async function readTlsFiles(files: TlsFiles | undefined): Promise<SecureContextOptions> {
  const options = {
    ca: await content('ca', files?.ca),
    cert: await content('cert', files?.cert),
    key: await content('key', files?.key),
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  try {
    // TLS would leave out an authority that cannot be read.
    for (const certificate of [options.ca, options.cert]) if (certificate) new X509Certificate(certificate);
    createSecureContext(given);
  } catch (error) {
    throw invalid(
      `The certificates cannot be used: ${error instanceof Error ? error.message : String(error)}. They are in PEM, and the key has no passphrase.`,
    );
  }
  return given;
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
