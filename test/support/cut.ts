/** Returns `text` in pieces that end at these shares of its length. */
export function cutAt(text: string, shares: readonly number[]): string[] {
  const places = shares.map(share => Math.floor(share * text.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}
