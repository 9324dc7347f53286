import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import { CONTRACT_ERRORS } from './errors.ts';

/** Every procedure starts here, so that every one can answer the typed errors. */
export const base = oc.errors(CONTRACT_ERRORS);

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
