/** Returns a number of 0 to 10²¹ as digits, without an exponent, that reads back as the same number. */
export function plainNumber(number: number): string {
  const [digits = '', exponent] = String(number).split('e-');
  return exponent === undefined ? digits : `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}
