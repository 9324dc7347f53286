const KEY = 'sandglass.recent-commands';
const MOST = 20;

/** Ids of the chosen commands of this browser, the latest first. None for a text of another version, or one edited by hand. */
export function recentCommands(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const others = recentCommands().filter(other => other !== id);
  localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, MOST)));
}
