import { expect, test } from 'vitest';
import { createEmitter } from '../../../renderer/state/emitter.ts';
import { createKeyedStore } from '../../../renderer/state/keyed-store.ts';
import { createStore } from '../../../renderer/state/store.ts';

test('listeners of a store are called after each change, and not for the same value', () => {
  const store = createStore(1);
  const seen: number[] = [];
  const unsubscribe = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  store.set(2);
  store.set(3);
  unsubscribe();
  store.set(4);
  expect(seen).toEqual([2, 3]);
  expect(store.get()).toBe(4);
});

test('a store connects for its first listener and disconnects after its last', () => {
  const log: string[] = [];
  const store = createStore(0, () => {
    log.push('connected');
    return () => log.push('disconnected');
  });
  const first = store.subscribe(() => {});
  const second = store.subscribe(() => {});
  first();
  first();
  expect(log).toEqual(['connected']);
  second();
  store.subscribe(() => {});
  expect(log).toEqual(['connected', 'disconnected', 'connected']);
});

test('an emitter calls every listener with the payload', () => {
  const emitter = createEmitter<string>();
  const heard: string[] = [];
  emitter.subscribe(text => heard.push(`1 ${text}`));
  emitter.subscribe(text => heard.push(`2 ${text}`));
  emitter.emit('a');
  expect(heard).toEqual(['1 a', '2 a']);
});

test('a keyed store computes the initial value of a key once', () => {
  let calls = 0;
  const store = createKeyedStore(key => ({ key, call: ++calls }));
  expect(store.get('a')).toBe(store.get('a'));
  store.set('b', { key: 'set', call: 0 });
  expect(store.get('b').key).toBe('set');
  expect(calls).toBe(1);
});
