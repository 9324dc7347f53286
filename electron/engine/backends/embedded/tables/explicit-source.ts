/** The source number of explicit expirations; every TTL index has a larger one. */
export const EXPLICIT_SOURCE = 0;
