/** Database servers that can be connected. */
export const SERVER_KINDS = ['redis', 'etcd', 'postgresql'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

const SCHEMES: readonly [RegExp, ServerKind][] = [
  [/^rediss?:\/\//i, 'redis'],
  [/^etcds?:\/\//i, 'etcd'],
  [/^postgres(ql)?:\/\//i, 'postgresql'],
];

/** Returns the kind of server that an address names by its scheme; null: the text is not an address of a server. */
export function serverKindOf(address: string): ServerKind | null {
  return SCHEMES.find(([scheme]) => scheme.test(address.trim()))?.[1] ?? null;
}
