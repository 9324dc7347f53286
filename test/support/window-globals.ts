// Globals that the window's modules read as they are loaded, and Node lacks: an empty storage, in which no language is chosen.
if (typeof localStorage === 'undefined') {
  const stored = new Map<string, string>();
  Object.defineProperty(globalThis, 'localStorage', {
    value: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  });
}
