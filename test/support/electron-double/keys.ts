const MODIFIER_BITS: Readonly<Record<string, number>> = { alt: 1, control: 2, meta: 4, shift: 8 };

/** Converts a key event of Electron to one of Chromium's debugging protocol. One character per key. */
export function keyEvent(event: { type: string; keyCode: string; modifiers?: readonly string[] }) {
  const held = event.modifiers ?? [];
  if (event.keyCode.length !== 1) throw new Error(`the Electron double has no key ${event.keyCode}`);
  const bits = held.map(name => {
    const bit = MODIFIER_BITS[name];
    if (bit === undefined) throw new Error(`the Electron double has no modifier ${name}`);
    return bit;
  });
  const key = held.includes('shift') ? event.keyCode.toUpperCase() : event.keyCode.toLowerCase();
  const down = held.includes('control') || held.includes('meta') ? { type: 'rawKeyDown' } : { text: key };
  return {
    type: 'keyDown',
    ...(event.type === 'keyUp' ? { type: 'keyUp' } : down),
    key,
    code: `Key${event.keyCode.toUpperCase()}`,
    windowsVirtualKeyCode: event.keyCode.toUpperCase().charCodeAt(0),
    modifiers: bits.reduce((sum, bit) => sum | bit, 0),
  };
}
