const KEY = 'sandglass.token';

/**
 * Reads the token of the host's URL, `#token=…`. Keeps it for the tab, so that a reload works, and removes it from
 * the URL, so that it appears in neither history nor screenshots.
 */
export function takeToken(): string | null {
  const given = /^#?token=([^&]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(given));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}
