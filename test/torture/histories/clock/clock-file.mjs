/**
 * The wall clock of a host, in a file that all its threads read at each reading of the clock: one number of 8 bytes, which is
 * written at once. Up to a thousand years it is what the machine's clock is moved by, in ms; beyond that the instant, epoch
 * ms, at which the clock stands still.
 */

export const CLOCK_BYTES = 8;
const LONGEST_OFFSET_MS = 1e12;

/**
 * @param {number} value
 * @returns {Buffer}
 */
export function clockBytes(value) {
  const bytes = Buffer.alloc(CLOCK_BYTES);
  bytes.writeDoubleLE(value);
  return bytes;
}

/**
 * Returns the time of the clock, epoch ms.
 * @param {Buffer} bytes
 * @param {number} machine the machine's time, epoch ms
 */
export function wallIn(bytes, machine) {
  const value = bytes.readDoubleLE();
  return Math.abs(value) > LONGEST_OFFSET_MS ? value : machine + value;
}
