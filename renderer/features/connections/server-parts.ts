import { serverKindOf } from '../../../shared/model/transport/server-address.ts';

/** Ways of TLS; `prefer` and `verify-full` are those of PostgreSQL. */
export type TlsChoice = 'off' | 'on' | 'prefer' | 'require' | 'verify-full';

/** The parts of a server's address as a form has them. */
export interface ServerParts {
  /** `host:port`, several separated by commas. */
  hosts: string;
  user: string;
  /** The number or name of a database, or the prefix of the keys. */
  database: string;
  tls: TlsChoice;
}

interface AddressForm {
  /** Meaning of `database`; null: the address has none. */
  database: 'number' | 'name' | 'prefix' | null;
  tls: readonly TlsChoice[];
}

const ADDRESS = /^([a-z+]+):\/\/(?:([^@/?#]*)@)?([^/?#]*)\/?([^?#]*)(?:\?([^#]*))?$/i;

/** Returns the parts of an address and the form of its kind; null: the text is no address of a server. */
export function partsOf(address: string): (ServerParts & { form: AddressForm }) | null {
  const split = splitAddress(address);
  if (split === null) return null;
  const { scheme, user, hosts, path, query, form } = split;
  const database = form.database === 'prefix' ? (query.get('prefix') ?? '') : decoded(path);
  return { hosts, user: decoded(user), database, tls: tlsOf(scheme, query, form), form };
}

/** Returns the address with other parts. */
export function withParts(address: string, change: Partial<ServerParts>): string {
  const split = splitAddress(address);
  const parts = partsOf(address);
  if (split === null || parts === null) return address;
  const { form, query, password } = split;
  const { hosts, user, database, tls } = { ...parts, ...change };
  const login = `${encodeURIComponent(user)}${password === null ? '' : `:${password}`}`;
  const scheme = withTls(split.scheme, tls);
  if (form.tls.includes('prefer')) setOrDelete(query, 'sslmode', sslMode(tls));
  if (form.database === 'prefix') setOrDelete(query, 'prefix', database);
  const path =
    form.database === 'prefix' || form.database === null ? split.path : encodeURIComponent(database);
  const rest = [...query].map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`,
  );
  return `${scheme}://${login === '' ? '' : `${login}@`}${hosts}${path === '' && rest.length === 0 ? '' : '/'}${path}${rest.length === 0 ? '' : `?${rest.join('&')}`}`;
}

/** Returns the address without its password, and the password; null: it has none. */
export function withoutPassword(address: string): { address: string; password: string } | null {
  const split = splitAddress(address);
  if (split?.password == null || split.password === '') return null;
  const { password } = split;
  return {
    address: address.trim().replace(`:${password}@`, '@').replace('://@', '://'),
    password: decoded(password),
  };
}

function splitAddress(address: string) {
  const kind = serverKindOf(address);
  const match = ADDRESS.exec(address.trim());
  if (kind === null || match === null) return null;
  const [, scheme = '', login = '', hosts = '', path = '', query = ''] = match;
  const [user = '', ...password] = login.split(':');
  const form: AddressForm =
    kind === 'postgresql'
      ? { database: 'name', tls: ['off', 'prefer', 'require', 'verify-full'] }
      : { database: kind === 'etcd' ? 'prefix' : scheme.includes('+') ? null : 'number', tls: ['off', 'on'] };
  return {
    scheme: scheme.toLowerCase(),
    user,
    password: password.length === 0 ? null : password.join(':'),
    hosts,
    path,
    query: new URLSearchParams(query),
    form,
  };
}

function tlsOf(scheme: string, query: URLSearchParams, { tls }: AddressForm): TlsChoice {
  if (!tls.includes('prefer')) return /^(rediss|etcds)/.test(scheme) ? 'on' : 'off';
  const mode = query.get('sslmode') ?? 'prefer';
  if (mode === 'disable') return 'off';
  return mode === 'allow'
    ? 'prefer'
    : mode === 'verify-ca'
      ? 'verify-full'
      : (tls.find(one => one === mode) ?? 'prefer');
}

function sslMode(tls: TlsChoice): string {
  return tls === 'prefer' ? '' : tls === 'off' ? 'disable' : tls;
}

function withTls(scheme: string, tls: TlsChoice): string {
  if (tls === 'on') return scheme.replace(/^(redis|etcd)(?!s)/, '$1s');
  return tls === 'off' ? scheme.replace(/^(redis|etcd)s/, '$1') : scheme;
}

function setOrDelete(query: URLSearchParams, name: string, value: string): void {
  if (value === '') query.delete(name);
  else query.set(name, value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
