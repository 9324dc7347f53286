import { plural } from '@lingui/core/macro';

/** Rows of the two histories. */
export type HistoryRows = 'entries' | 'passes';

/** Returns `1,204 passes`. */
export const formatRows = (count: number, what: HistoryRows): string =>
  what === 'passes'
    ? plural(count, { one: '# pass', other: '# passes' })
    : plural(count, { one: '# entry', other: '# entries' });
