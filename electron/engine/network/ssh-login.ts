import { readFile } from 'node:fs/promises';
import ssh2 from 'ssh2';
import { SandglassError } from '../../../shared/model/errors.ts';

/** How a user proves who they are to an SSH server: a private key, or the agent that holds keys. */
export type SshLogin =
  | { readonly privateKey: Buffer; readonly passphrase?: string }
  | { readonly agent: string };

const WINDOWS_AGENT = '\\\\.\\pipe\\openssh-ssh-agent';

/**
 * Reads the private key, or finds the agent if there is none. Throws INVALID_CONNECTION if neither can be used, and
 * PASSPHRASE_REQUIRED if the key is encrypted and `passphrase` does not decrypt it.
 */
export async function sshLogin(
  key: string | undefined,
  passphrase: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SshLogin> {
  if (key === undefined) {
    const agent = environment.SSH_AUTH_SOCK ?? (process.platform === 'win32' ? WINDOWS_AGENT : '');
    if (agent !== '') return { agent };
    throw new SandglassError(
      'INVALID_CONNECTION',
      'Sandglass was started without an SSH agent (SSH_AUTH_SOCK is not set). Name the file of a private key.',
      { field: 'ssh' },
    );
  }
  const privateKey = await readFile(key).catch((error: Error) => {
    throw new SandglassError('INVALID_CONNECTION', `The SSH key cannot be read: ${error.message}.`, {
      field: 'ssh',
      file: key,
    });
  });
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (!(parsed instanceof Error)) {
    return passphrase === undefined ? { privateKey } : { privateKey, passphrase };
  }
  if (!/passphrase|decrypt/i.test(parsed.message)) {
    throw new SandglassError('INVALID_CONNECTION', `${key} is no SSH key: ${parsed.message}.`, {
      field: 'ssh',
      file: key,
    });
  }
  throw new SandglassError(
    'PASSPHRASE_REQUIRED',
    passphrase === undefined
      ? `The SSH key ${key} has a passphrase.`
      : `The passphrase does not open the SSH key ${key}.`,
    { field: 'passphrase' },
  );
}
