import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { JsonObject } from '../model/json/json.ts';
import { isJsonObject } from '../model/json/json.ts';
import { CONTRACT_ERRORS } from './errors.ts';

/** What a caller may do to the store's own data; each includes the ones before [P1]. */
export const PERMISSION_CHAIN = ['read', 'write', 'configure'] as const;
/** Beside the chain `follow`: reads what replication sends, and nothing else. `configure` includes it [P1, V5]. */
export const PERMISSIONS = [...PERMISSION_CHAIN, 'follow'] as const;
export const permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof permission>;

const MIB = 1024 * 1024;
/** The largest JSON body of a REST route in bytes: one that holds documents, one that holds lists of ids, any other. */
export const LARGEST_BODY_BYTES = { documents: 64 * MIB, ids: 16 * MIB, other: MIB } as const;

interface ProcedureMeta {
  permission: Permission;
  /** Sets the limit of its body over REST; `other` where left out. */
  body?: keyof typeof LARGEST_BODY_BYTES;
}

/** Every procedure starts here, so that every one can answer the typed errors and says what permission it needs. */
export const base = oc.$meta<ProcedureMeta>({ permission: 'read' }).errors(CONTRACT_ERRORS);
/** Changes documents or their explicit expiration [P1]. */
export const write = base.meta({ permission: 'write' });
/** Changes what is deleted when, brings back, or hands out permissions [P1]. */
export const configure = base.meta({ permission: 'configure' });
/** Mirrors the store [P1, V5]. */
export const follow = base.meta({ permission: 'follow' });

/** Epoch milliseconds. */
export const instant = z.number();
export const collectionName = z.string();
export const indexName = z.string();
export const count = z.number().int().nonnegative();
export const nothing = z.object({});

/** A JSON object that may hold bigint where an integer is beyond 2^53 [C1]. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'A document is a JSON object.');

/** A number in a query string, as text or as number. */
export const queryNumber = z.coerce.number();
export const queryFlag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])])
  .transform(value => value === true || value === 'true' || value === '1' || value === '');
