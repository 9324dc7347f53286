const BESIDE = 14;
const EDGE = 4;
/** Below the ruler, CSS pixels. */
const TOP = 26;

/**
 * Places the readout right of the bucket, or left if it would leave the plot, near the pointer's height. Sets the
 * style directly: it moves with each frame.
 */
export function placeBeside(readout: HTMLElement, within: HTMLElement, x: number, y: number): void {
  const { offsetWidth: width, offsetHeight: height } = readout;
  const right = x + BESIDE;
  const left = right + width > within.clientWidth - EDGE ? x - width - BESIDE : right;
  const top = Math.max(TOP, Math.min(within.clientHeight - height - EDGE, y - 20));
  readout.style.transform = `translate(${Math.round(Math.max(EDGE, left))}px, ${Math.round(top)}px)`;
}
