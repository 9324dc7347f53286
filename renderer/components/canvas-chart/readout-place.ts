const BESIDE = 14;
const EDGE = 4;
/** Below the ruler. */
const TOP = 26;

/** Right of the bucket, or left where that would leave the plot; near the pointer's height. Written to the style: it moves with every frame. */
export function placeBeside(readout: HTMLElement, within: HTMLElement, x: number, y: number): void {
  const { offsetWidth: width, offsetHeight: height } = readout;
  const right = x + BESIDE;
  const left = right + width > within.clientWidth - EDGE ? x - width - BESIDE : right;
  const top = Math.max(TOP, Math.min(within.clientHeight - height - EDGE, y - 20));
  readout.style.transform = `translate(${Math.round(Math.max(EDGE, left))}px, ${Math.round(top)}px)`;
}
