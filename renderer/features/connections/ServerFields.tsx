import { t } from '@lingui/core/macro';
import { Checkbox, TextInput } from '@mantine/core';
import type { SecretName } from '../../../shared/contract/connections.ts';
import { Segmented } from '../../components/controls/Segmented.tsx';
import classes from './connections.module.css';
import { SecretStorageHint } from './SecretStorageHint.tsx';
import { EMPTY_CERTIFICATES, EMPTY_SSH, type ServerAccess } from './server-access.ts';
import { partsOf, type TlsChoice, withParts } from './server-parts.ts';

const TLS_LABEL: Record<TlsChoice, string> = {
  off: t({ message: 'Off', context: 'TLS' }),
  on: t({ message: 'On', context: 'TLS' }),
  prefer: t`If possible`,
  require: t`Required`,
  'verify-full': t`Verified`,
};
const DATABASE_LABEL = { number: t`Database`, name: t`Database`, prefix: t`Prefix of the keys` } as const;
/** Placeholders that are the same in every language. */
const EXAMPLE = { ca: 'ca.pem', ssh: 'ada@bastion:22', knownHosts: '~/.ssh/known_hosts' };

interface ServerFieldsProps {
  address: string;
  access: ServerAccess;
  /** True if an empty secret leaves the one that the connection has. */
  isExisting?: boolean;
  /** Problem of the SSH servers, or of their keys. */
  sshProblem: string | undefined;
  /** Problem of the certificates. */
  tlsProblem: string | undefined;
  onAddress: (address: string) => void;
  onAccess: (access: ServerAccess) => void;
}

/** The parts of a server's address, its password, the SSH server on the way, and certificates. */
export function ServerFields(props: ServerFieldsProps) {
  const { address, access, isExisting = false, sshProblem, tlsProblem, onAddress, onAccess } = props;
  const parts = partsOf(address);
  if (parts === null) return null;
  const { form, tls } = parts;
  const { ssh, certificates, references } = access;
  const secretHint = (name: SecretName) =>
    references[name] ?? (isExisting ? t({ message: 'Unchanged', context: 'secret' }) : t`None`);
  const part = (change: Parameters<typeof withParts>[1]) => onAddress(withParts(address, change));
  return (
    <>
      <div className={classes.serverParts}>
        <TextInput
          label={t`Host and port`}
          value={parts.hosts}
          onChange={event => part({ hosts: event.target.value.replace(/\s/g, '') })}
        />
        {form.database !== null && (
          <TextInput
            label={DATABASE_LABEL[form.database]}
            value={parts.database}
            onChange={event => part({ database: event.target.value })}
          />
        )}
        <TextInput
          label={t`User`}
          value={parts.user}
          onChange={event => part({ user: event.target.value })}
        />
        <TextInput
          type="password"
          autoComplete="new-password"
          label={t`Password`}
          placeholder={secretHint('secret')}
          value={access.secret}
          onChange={event => onAccess({ ...access, secret: event.target.value })}
        />
      </div>
      <div className={classes.connectionChoices}>
        <span className="t-12 t-2">TLS</span>
        <Segmented
          label="TLS"
          value={tls}
          segments={form.tls.map(value => ({ value, label: TLS_LABEL[value] }))}
          onChange={value => part({ tls: value })}
        />
        <Checkbox
          label={t`Own certificates`}
          disabled={tls === 'off' || tls === 'prefer'}
          checked={certificates !== null}
          onChange={event =>
            onAccess({ ...access, certificates: event.target.checked ? EMPTY_CERTIFICATES : null })
          }
        />
      </div>
      {certificates !== null && (
        <div className={classes.serverParts}>
          <TextInput
            label={t`Certificate authority`}
            placeholder={EXAMPLE.ca}
            error={tlsProblem}
            value={certificates.ca}
            onChange={event =>
              onAccess({ ...access, certificates: { ...certificates, ca: event.target.value } })
            }
          />
          <TextInput
            label={t`Client certificate`}
            placeholder={t`None`}
            value={certificates.cert}
            onChange={event =>
              onAccess({ ...access, certificates: { ...certificates, cert: event.target.value } })
            }
          />
          <TextInput
            label={t`Client key`}
            placeholder={t`None`}
            value={certificates.key}
            onChange={event =>
              onAccess({ ...access, certificates: { ...certificates, key: event.target.value } })
            }
          />
          <TextInput
            type="password"
            autoComplete="new-password"
            label={t`Passphrase of the client key`}
            placeholder={secretHint('tlsPassphrase')}
            value={certificates.passphrase}
            onChange={event =>
              onAccess({ ...access, certificates: { ...certificates, passphrase: event.target.value } })
            }
          />
        </div>
      )}
      <Checkbox
        label={t`Connect through an SSH server`}
        checked={ssh !== null}
        onChange={event => onAccess({ ...access, ssh: event.target.checked ? EMPTY_SSH : null })}
      />
      {ssh !== null && (
        <SshFields
          ssh={ssh}
          passphraseHint={secretHint('passphrase')}
          problem={sshProblem}
          onChange={next => onAccess({ ...access, ssh: next })}
        />
      )}
      <SecretStorageHint />
    </>
  );
}

type Ssh = NonNullable<ServerAccess['ssh']>;

function SshFields({
  ssh,
  passphraseHint,
  problem,
  onChange,
}: {
  ssh: Ssh;
  passphraseHint: string;
  problem: string | undefined;
  onChange: (ssh: Ssh) => void;
}) {
  return (
    <div className={classes.serverParts}>
      <TextInput
        label={t`SSH server`}
        placeholder={EXAMPLE.ssh}
        error={problem}
        value={ssh.server}
        onChange={event => onChange({ ...ssh, server: event.target.value })}
      />
      <TextInput
        label={t`Jump host`}
        placeholder={t`None`}
        value={ssh.jump}
        onChange={event => onChange({ ...ssh, jump: event.target.value })}
      />
      <TextInput
        label={t`Private key`}
        placeholder={t`From the SSH agent`}
        value={ssh.key}
        onChange={event => onChange({ ...ssh, key: event.target.value })}
      />
      <TextInput
        type="password"
        autoComplete="new-password"
        label={t`Passphrase of the key`}
        placeholder={passphraseHint}
        value={ssh.passphrase}
        onChange={event => onChange({ ...ssh, passphrase: event.target.value })}
      />
      <TextInput
        label={t`Known hosts`}
        placeholder={EXAMPLE.knownHosts}
        value={ssh.knownHosts}
        onChange={event => onChange({ ...ssh, knownHosts: event.target.value })}
      />
    </div>
  );
}
