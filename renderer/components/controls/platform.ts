/** Whether shortcuts use Command instead of Ctrl. */
export const isMac = navigator.userAgent.includes('Mac');

const ON_MAC: readonly (readonly [pc: string, mac: string])[] = [
  ['Ctrl', '⌘'],
  ['Alt', '⌥'],
  ['Del', '⌫'],
];

/** Returns a shortcut in the notation of this platform: `Ctrl ⇧ P`, on a Mac `⌘ ⇧ P`. */
export function keysHere(keys: string, mac = isMac): string {
  return mac
    ? ON_MAC.reduce((text, [pc, key]) => text.replace(new RegExp(`\\b${pc}\\b`, 'g'), key), keys)
    : keys;
}
