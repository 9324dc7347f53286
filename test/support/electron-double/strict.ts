/** Properties that the language and the inspector read of any object. */
const ASKED_OF_ALL = new Set<PropertyKey>([
  'then',
  'toJSON',
  'constructor',
  'prototype',
  'splice',
  'nodeType',
]);

/**
 * Wraps an object so that reading a missing member throws: a member of Electron that the double lacks is an error, not
 * `undefined`. Members can be written, as tests and Playwright do.
 */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key) {
      if (!(key in object) && typeof key === 'string' && !ASKED_OF_ALL.has(key)) {
        throw new Error(`the Electron double has no ${name}.${key}`);
      }
      const value: unknown = Reflect.get(object, key, object);
      // Bound, since a proxy has no access to private fields.
      return typeof value === 'function' && key !== 'constructor' ? value.bind(object) : value;
    },
    set: (object, key, value) => Reflect.set(object, key, value, object),
  });
}
