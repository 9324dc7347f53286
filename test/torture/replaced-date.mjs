/**
 * Lets `Date` of this thread read its time from `now`.
 * @param {() => number} now epoch ms
 */
export function replaceDate(now) {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}
