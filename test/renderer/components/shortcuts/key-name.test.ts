import { expect, it } from 'vitest';
import { keyNameOf } from '../../../../renderer/components/shortcuts/key-name.ts';

const press = (key: string, ...modifiers: ('ctrl' | 'meta' | 'alt' | 'shift')[]) => ({
  key,
  ctrlKey: modifiers.includes('ctrl'),
  metaKey: modifiers.includes('meta'),
  altKey: modifiers.includes('alt'),
  shiftKey: modifiers.includes('shift'),
});

it('Ctrl is the modifier of shortcuts, on a Mac Command', () => {
  expect(keyNameOf(press('P', 'ctrl', 'shift'), false)).toBe('mod+shift+p');
  expect(keyNameOf(press('P', 'meta', 'shift'), true)).toBe('mod+shift+p');
});

it('the other modifier key has a name of its own', () => {
  expect(keyNameOf(press('n', 'meta'), false)).toBe('meta+n');
  expect(keyNameOf(press('Enter', 'ctrl'), true)).toBe('ctrl+enter');
});

it('a shifted sign is named by the sign, a shifted letter or named key with Shift', () => {
  expect(keyNameOf(press('?', 'shift'), false)).toBe('?');
  expect(keyNameOf(press('ArrowDown', 'shift'), false)).toBe('shift+arrowdown');
  expect(keyNameOf(press(' ', 'shift'), false)).toBe('shift+space');
});

it('Caps Lock changes no name', () => {
  expect(keyNameOf(press('J'), false)).toBe('j');
});
