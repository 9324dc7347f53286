const KEY = 'sandglass.recent-commands';
const MOST = 20;

/** Ids of the commands chosen in this browser, the latest first. Empty if the stored text has another format. */
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
