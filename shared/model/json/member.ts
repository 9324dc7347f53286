/**
 * Returns the text of a JSON object without its member `name`, with every other character unchanged. `text` is valid
 * JSON; nested objects are not searched. All members of that name are removed.
 */
export function withoutMember(text: string, name: string): string {
  let rest = text;
  for (;;) {
    const found = findMember(rest, name);
    if (found === null) return rest;
    rest = rest.slice(0, found.from) + rest.slice(found.to);
  }
}

/** Range of a member and its comma, [from, to). */
function findMember(text: string, name: string): { from: number; to: number } | null {
  let depth = 0;
  /** Position after the last comma of the object, or after its opening bracket. */
  let begin = 0;
  let isFirst = true;
  let isWanted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      const end = endOfString(text, i);
      if (depth === 1 && isKey(text, end)) isWanted = JSON.parse(text.slice(i, end)) === name;
      i = end - 1;
    } else if (char === '{' || char === '[') {
      depth += 1;
      if (depth === 1) begin = i + 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      // The last member is removed with the comma before it.
      if (depth === 0) return isWanted ? { from: isFirst ? begin : begin - 1, to: i } : null;
    } else if (char === ',' && depth === 1) {
      if (isWanted) return { from: begin, to: i + 1 };
      begin = i + 1;
      isFirst = false;
    }
  }
  return null;
}

/** Returns the position after the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let i = from + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function isKey(text: string, from: number): boolean {
  let i = from;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++;
  return text[i] === ':';
}
