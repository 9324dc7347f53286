const KEY = 'sandglass.token';

/**
 * The token the host printed in its address, `#token=…`. It is kept for this tab's life, so that a reload works, and
 * taken out of the address, so that it does not stand in the history or in a screenshot.
 */
export function takeToken(): string | null {
  const given = /^#?token=([^&]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(given));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}
