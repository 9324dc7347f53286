import { SandglassError } from '../../../shared/model/errors.ts';

/** Errors of Node about the certificate of a server whose authority is not known. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Alerts with which a server refuses the certificate of the client, or a client without one. */
const CLIENT_REFUSED =
  /alert (certificate required|bad certificate|unknown ca|certificate (unknown|expired|revoked)|handshake failure)/i;
const NO_TLS = /wrong version number|packet length too long/i;

/**
 * Returns INVALID_CONNECTION with what to do for an error of TLS; any other error unchanged. `host`: name by which the
 * server was connected.
 */
export function tlsFailure(error: unknown, host?: string): unknown {
  if (!(error instanceof Error) || error instanceof SandglassError) return error;
  const problem = problemOf(error, host ?? 'the server');
  if (problem === null) return error;
  return new SandglassError('INVALID_CONNECTION', problem, { field: 'tls' });
}

function problemOf(error: Error, host: string): string | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${host} has expired. Renew it on the server. The clock of this machine may also be wrong.`;
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${host} is not valid yet. The clock of this machine, or of the one that made it, is wrong.`;
  if (code === 'CERT_REVOKED') return `The certificate of ${host} was revoked. Replace it on the server.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = namesOf(error);
    return `The certificate of the server does not name ${host}${names === '' ? '' : `; it names ${names}`}. Connect by a name that it has, or replace it on the server.`;
  }
  if (UNTRUSTED.has(code))
    return `The certificate of ${host} is signed by an authority that is not trusted here. Name the file of that authority under Own certificates.`;
  if (CLIENT_REFUSED.test(error.message))
    return `${host} refuses the certificate of the client, or requires one. Name the files of a client certificate and its key. It replied: ${error.message}`;
  if (NO_TLS.test(error.message))
    return `${host} does not answer with TLS on this port. Use its TLS port, or turn TLS off.`;
  return null;
}

/** Returns the names of the certificate, such as `db.example, 10.0.0.5`. */
function namesOf(error: Error): string {
  if (!('cert' in error) || typeof error.cert !== 'object' || error.cert === null) return '';
  const names = 'subjectaltname' in error.cert ? error.cert.subjectaltname : undefined;
  return typeof names === 'string' ? names.replace(/(DNS|IP Address):/g, '') : '';
}
