import { plural, t } from '@lingui/core/macro';
import {
  CONNECTION_COLOURS,
  type ConnectionRecord,
  type ConnectionTest,
  type SecretStorage,
} from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import {
  parseServerAddress,
  type ServerAddress,
  serverKindOf,
} from '../../../shared/model/transport/server-address.ts';
import type { IconName } from '../../components/controls/Icon.tsx';
import { formatBytes, formatLag } from '../../i18n/format.ts';

/** Names of the colours, in the order of the theme. */
export const COLOUR_NAMES = [t`Blue`, t`Teal`, t`Violet`, t`Olive`, t`Dark cyan`, t`Grey`] as const;

export const STATE_LABEL: Record<ConnectionRecord['state']['is'], { word: string; icon: IconName }> = {
  opening: { word: t`Opening`, icon: 'live' },
  open: { word: t({ message: 'Open', context: 'state of a connection' }), icon: 'check' },
  closed: { word: t`Closed`, icon: 'off' },
  failed: { word: t`Failed`, icon: 'err' },
};

export interface FormattedTest {
  tone: 'good' | 'info' | 'bad';
  text: string;
  /** Warnings among the server’s findings. */
  warnings?: readonly string[];
}

/** Describes the result of a test, and what adding the connection would do. */
export function formatTest(test: ConnectionTest): FormattedTest {
  if (test.is === 'refused') return { tone: 'bad', text: test.message };
  if (test.is === 'new') {
    return { tone: 'info', text: t`The file does not exist. Adding the connection creates an empty store.` };
  }
  if (test.is === 'server') {
    const warnings = test.findings.filter(({ severity }) => severity === 'warning');
    return { ...formatServer(test), warnings: warnings.map(({ sentence }) => sentence) };
  }
  const { collections, documents, bytes, heldBy } = test;
  const holds = plural(collections, { one: '# collection', other: '# collections' });
  const counted = plural(documents, { one: '# document', other: '# documents' });
  const size = formatBytes(bytes);
  return heldBy === null
    ? { tone: 'good', text: t`A store: ${holds}, ${counted}, ${size}.` }
    : {
        tone: 'info',
        text: t`A store: ${holds}, ${counted}, ${size}. Another Sandglass (${heldBy}) has it open; it opens here once it is closed there.`,
      };
}

function formatServer({
  server,
  roundTripMs,
  keys,
  record,
  removedBy,
}: ConnectionTest & { is: 'server' }): FormattedTest {
  const away = formatLag(roundTripMs);
  if (keys === null) return { tone: 'good', text: t`${server} answers in ${away}.` };
  const counted =
    record === 'row'
      ? t`about ${plural(keys, { one: '# row', other: '# rows' })}`
      : plural(keys, { one: '# key', other: '# keys' });
  return {
    tone: 'good',
    text: t`${server} answers in ${away}: ${counted}. ${formatRemoval(removedBy, record)}`,
  };
}

function formatRemoval(
  by: (ConnectionTest & { is: 'server' })['removedBy'],
  record: (ConnectionTest & { is: 'server' })['record'],
): string {
  if (by === 'sandglass') return t`Sandglass removes rows at their deadline once a TTL index is created.`;
  return record === 'row'
    ? t`It removes due rows itself; Sandglass shows their deadlines.`
    : t`It removes due keys itself; Sandglass shows and changes their deadlines.`;
}

/** Describes how long a password is kept. */
export function formatSecretStorage(storage: SecretStorage): string {
  if (storage.is === 'keychain')
    return t`Passwords and passphrases are kept encrypted by this system’s keychain, and never shown.`;
  switch (storage.because) {
    case 'served':
      return t`Passwords and passphrases are kept in memory until Sandglass ends, and never shown. They are requested again at the next start.`;
    case 'no keychain':
      return t`This system has no keychain: passwords and passphrases are kept in memory until Sandglass ends.`;
    case 'plain text':
      return t`This system has no keychain that encrypts (basic_text): passwords and passphrases are kept in memory until Sandglass ends.`;
  }
}

/** Returns a colour that no other connection has, if there is one. */
export function freeColour(others: readonly Pick<ConnectionRecord, 'colour'>[]): number {
  const taken = new Set(others.map(({ colour }) => colour));
  const all = Array.from({ length: CONNECTION_COLOURS }, (_, index) => index + 1);
  return all.find(colour => !taken.has(colour)) ?? (others.length % CONNECTION_COLOURS) + 1;
}

/** Suggests a name for a connection: its server's, or its file's without folder and extension. */
export function suggestedName(file: string): string {
  if (serverKindOf(file) !== null) return addressOf(file)?.hosts[0]?.host ?? '';
  const base = file.trim().split(/[/\\]/).at(-1) ?? '';
  return base.replace(/\.sandglass$/i, '');
}

export interface Typed {
  file: string;
  name: string;
}
type Field = keyof Typed | 'ssh' | 'tls';
export type FieldProblems = Partial<Record<Field, string | undefined>>;

/** The engine's rule for a file name without a folder. */
const FILE_NAME = /^[\p{L}\p{N}][^\p{C}/\\:*?"<>|]{0,120}\.sandglass$/u;
const isFullPath = (file: string) => /^(\/|~\/|[a-z]:[\\/]|\\\\)/i.test(file);
const LONGEST_NAME = 120;

/** Returns the problems that are found before any call, by field. */
export function typedProblems(
  { file, name }: Typed,
  others: readonly Pick<ConnectionRecord, 'name'>[],
  namesPaths: boolean,
): FieldProblems {
  return { ...fileProblem(file.trim(), namesPaths), ...nameProblem(name.trim(), others) };
}

function fileProblem(file: string, namesPaths: boolean): Pick<FieldProblems, 'file'> {
  if (serverKindOf(file) !== null) return addressProblem(file);
  if (namesPaths) {
    if (file === '') return { file: t`Enter the path of a store’s file, or the address of a server.` };
    return isFullPath(file)
      ? {}
      : { file: t`Enter a full path, from / or ~/ on, or an address such as redis://localhost.` };
  }
  if (file === '') return { file: t`Choose a store, or enter the file name of a new one.` };
  return FILE_NAME.test(file)
    ? {}
    : {
        file: t`Enter a file name that ends in .sandglass, without a folder, or an address such as redis://localhost.`,
      };
}

export function addressProblem(address: string): Pick<FieldProblems, 'file'> {
  return addressOf(address) === null
    ? { file: t`An address looks like redis://user:password@host:6379/0.` }
    : {};
}

/** Returns null for a text that is not an address yet. */
function addressOf(text: string): ServerAddress | null {
  try {
    return parseServerAddress(text);
  } catch (error) {
    if (error instanceof SandglassError) return null;
    throw error;
  }
}

export function nameProblem(
  name: string,
  others: readonly Pick<ConnectionRecord, 'name'>[],
): Pick<FieldProblems, 'name'> {
  if (name === '') return { name: t`Enter a name.` };
  if (name.length > LONGEST_NAME) return { name: t`A name has ${LONGEST_NAME} characters at most.` };
  if (others.some(other => other.name === name)) return { name: t`Another connection has this name.` };
  return {};
}

/** Returns the field that an error of the engine is about; the file by default. */
export function refusedField(data: Readonly<Record<string, unknown>>): Field {
  if (data.field === 'ssh' || data.field === 'passphrase') return 'ssh';
  if (data.field === 'tls' || data.field === 'tlsPassphrase') return 'tls';
  return data.field === 'name' || 'name' in data ? 'name' : 'file';
}
