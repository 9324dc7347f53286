import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../model/json/json.ts';

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
