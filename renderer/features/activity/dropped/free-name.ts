/** Returns the first unused of `name`, `name_restored`, `name_restored_2` … */
export function freeName(name: string, taken: { has: (name: string) => boolean }): string {
  if (!taken.has(name)) return name;
  const base = `${name.slice(0, 105)}_restored`;
  for (let number = 2; ; number++) {
    const candidate = number === 2 ? base : `${base}_${number - 1}`;
    if (!taken.has(candidate)) return candidate;
  }
}
