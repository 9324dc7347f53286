/** Name of the deadline among the columns of a removed row. */
export const DEADLINE = '"sandglass deadline"';
