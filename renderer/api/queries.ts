import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { client } from './session.ts';

/** Query keys and options of every call on the current connection. A query without mounted observers is aborted. */
export const orpc = createTanstackQueryUtils(client);
