import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { JsonObject } from '../model/json/json.ts';
import { isJsonObject } from '../model/json/json.ts';
import type { Feature } from './capabilities.ts';
import { CONTRACT_ERRORS } from './errors.ts';
import type { Permission } from './permissions.ts';

const MIB = 1024 * 1024;
/**
 * Largest JSON body of a REST route, bytes: of routes that take documents, of those that take lists of ids, of those that
 * take a piece of a file, of all others.
 */
export const LARGEST_BODY_BYTES = { documents: 64 * MIB, ids: 16 * MIB, piece: 8 * MIB, other: MIB } as const;

/** Metadata of a procedure. */
export interface ProcedureMeta {
  /** Lowest permission of a caller [P1]. */
  permission: Permission;
  /**
   * Has an effect on this store, its files, its jobs or its webhook. Such a call is refused on a read-only connection
   * [P2] and by a mirror [V5], waits while the file is compacted, and is confirmed first in production. False for
   * reads, and for `connections.*`, which change the host's list of connections and no store.
   */
  writes: boolean;
  /** The feature of the engine that the call needs; null: every engine answers it. */
  feature: Feature | null;
  /** Kind of body, which decides its largest size; `other` by default. */
  body?: keyof typeof LARGEST_BODY_BYTES;
}

/** Starts a procedure. There is no default: a procedure that omits `permission`, `writes` or `feature` does not compile. */
export function procedure(meta: ProcedureMeta) {
  return oc.$meta(meta).errors(CONTRACT_ERRORS);
}

/** Epoch milliseconds. */
export const instant = z.number();
export const collectionName = z.string();
export const indexName = z.string();
export const count = z.number().int().nonnegative();
export const nothing = z.object({});

/** A JSON object; integers beyond 2^53 are bigint [C1]. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'A document is a JSON object.');

/** A number in a query string. */
export const queryNumber = z.coerce.number();
export const queryFlag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])])
  .transform(value => value === true || value === 'true' || value === '1' || value === '');
