const MIB = 1024 * 1024;
/**
 * Largest JSON body of a REST route, bytes: of routes that take documents, of those that take lists of ids, of those that
 * take a piece of a file, of all others.
 */
export const LARGEST_BODY_BYTES = { documents: 64 * MIB, ids: 16 * MIB, piece: 8 * MIB, other: MIB } as const;
