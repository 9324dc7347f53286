/**
 * The id of this window: the same after a reload, another one in a copy of the tab. It is held by a lock while the window
 * is open, so that other windows find out which ids are of closed or crashed ones.
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
    // Without a limit: an id that is used without its lock would be taken for that of a closed window.
    await hold(id, null);
    sessionStorage.setItem(KEY, id);
  }
  return id;
}

function newId(): string {
  // No crypto.randomUUID: an address that is neither local nor HTTPS lacks it.
  return [...crypto.getRandomValues(new Uint32Array(3))].map(part => part.toString(36)).join('');
}

/** A page that is reloaded holds its lock until it is gone: seconds on a busy machine, ms. */
const RELOAD_MS = 5_000;
/** Any other page that finds its id held is a copy of an open tab. */
const COPY_MS = 500;

/** Returns how long a page waits for the lock of the id that it finds, ms. */
function waitMs(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  return isReload ? RELOAD_MS : COPY_MS;
}

/** Returns false if another window still holds the id after that time. Held until the window is closed. */
function hold(id: string, limitMs: number | null): Promise<boolean> {
  const { locks } = navigator;
  // Only a secure context has locks; without them an id is trusted.
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

/** Returns the ids of open windows; null where they cannot be known. */
export async function openWindows(): Promise<ReadonlySet<string> | null> {
  const { locks } = navigator;
  if (locks === undefined) return null;
  const { held = [] } = await locks.query();
  const prefix = lockOf('');
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
