/** Returns a constant text as it is written in SQL, for statements that take no parameters. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // Backslashes are escapes where the server's standard_conforming_strings is off.
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Returns a duration as SQL; whole microseconds, and no days or months, so that no time zone matters. */
export function intervalSql(seconds: number): string {
  return `interval '${Math.round(seconds * 1_000_000)} microseconds'`;
}

/** Returns a constant text that is itself SQL, so that its quotes stay legible. */
export function dollarQuoted(text: string): string {
  let tag = '$$';
  for (let i = 0; text.includes(tag); i++) tag = `$sandglass${i}$`;
  return `${tag}${text}${tag}`;
}
