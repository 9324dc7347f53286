/** What language and inspector ask of any object. */
const ASKED_OF_ALL = new Set<PropertyKey>([
  'then',
  'toJSON',
  'constructor',
  'prototype',
  'splice',
  'nodeType',
]);

/**
 * An object of which only what is there can be used: a member of Electron that the double does not have is a loud
 * failure, not an `undefined` that something silently does without. Can be written to, as tests and Playwright do.
 */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key) {
      if (!(key in object) && typeof key === 'string' && !ASKED_OF_ALL.has(key)) {
        throw new Error(`the Electron double has no ${name}.${key}`);
      }
      const value: unknown = Reflect.get(object, key, object);
      // Bound, since private fields are not to be reached through a proxy.
      return typeof value === 'function' && key !== 'constructor' ? value.bind(object) : value;
    },
    set: (object, key, value) => Reflect.set(object, key, value, object),
  });
}
