import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { client } from './session.ts';

/** Query keys and options of every call on the current connection. A query that no part shows any more is aborted. */
export const orpc = createTanstackQueryUtils(client);
