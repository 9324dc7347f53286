import { t } from '@lingui/core/macro';
/** CEL functions that Sandglass offers, with their arguments. The engine's tables have the same names. */
export const CEL_FUNCTIONS: Readonly<Record<string, string>> = {
  timestamp: 'text, or seconds since 1970; text, format, zone',
  timestampMs: t`milliseconds since 1970`,
  duration: t`text such as "1h30m"`,
  isDateString: 'value',
  max: 'a, b',
  min: 'a, b',
  size: t`text, list or map`,
  dyn: 'value',
  string: 'value',
  int: 'value',
  double: 'value',
  bool: 'value',
};

/** Methods, after a dot. */
export const CEL_METHODS: readonly string[] = [
  'size',
  'startsWith',
  'endsWith',
  'contains',
  'indexOf',
  'lastIndexOf',
  'matches',
  'split',
  'replace',
  'lowerAscii',
  'upperAscii',
  'trim',
  'substring',
  'join',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];

export const CEL_VARIABLES: readonly string[] = ['doc', 'updatedAt'];
