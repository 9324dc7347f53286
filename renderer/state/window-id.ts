/**
 * The id of this window: the same after a reload, another one in a copy of the tab. The window holds a lock with it
 * while it is open, so that other windows can detect the ids of closed or crashed windows.
 */
const KEY = 'sandglass.window';
const lockOf = (id: string) => `sandglass.window ${id}`;
const isId = /^[0-9a-z]+$/;

let claimed: Promise<string> | null = null;

export function windowId(): Promise<string> {
  claimed ??= claim();
  return claimed;
}

async function claim(): Promise<string> {
  const before = sessionStorage.getItem(KEY);
  const id = before !== null && isId.test(before) && (await hold(before, waitMs())) ? before : newId();
  if (id !== before) {
    // The wait has no limit: an id used without its lock would be taken for that of a closed window.
    await hold(id, null);
    sessionStorage.setItem(KEY, id);
  }
  return id;
}

function newId(): string {
  // crypto.randomUUID is missing on pages that are neither local nor HTTPS.
  return [...crypto.getRandomValues(new Uint32Array(3))].map(part => part.toString(36)).join('');
}

/** A reloaded page holds its lock until it is unloaded: seconds on a busy machine, ms. */
const RELOAD_MS = 5_000;
/** Any other page with an id whose lock is held is a copy of an open tab, ms. */
const COPY_MS = 500;

/** Returns how long a page waits for the lock of its stored id, ms. */
function waitMs(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  return isReload ? RELOAD_MS : COPY_MS;
}

/**
 * Returns false if another window still holds the lock after that time. The lock is held until the window is closed.
 */
function hold(id: string, limitMs: number | null): Promise<boolean> {
  const { locks } = navigator;
  // Locks exist in secure contexts only; without them an id is trusted.
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    const held = () => {
      resolve(true);
      return new Promise<never>(() => {});
    };
    const options = limitMs === null ? {} : { signal: AbortSignal.timeout(limitMs) };
    locks.request(lockOf(id), options, held).catch(error => {
      if (error instanceof DOMException && error.name === 'TimeoutError') resolve(false);
      else reject(error);
    });
  });
}

/** Returns the ids of open windows; null if they cannot be determined. */
export async function openWindows(): Promise<ReadonlySet<string> | null> {
  const { locks } = navigator;
  if (locks === undefined) return null;
  const { held = [] } = await locks.query();
  const prefix = lockOf('');
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
