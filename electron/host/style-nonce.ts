import { randomBytes } from 'node:crypto';

/** Text in the built `index.html` that is replaced by the nonce of the response. */
export const NONCE_PLACEHOLDER = 'STYLE_NONCE';

/**
 * Returns a page with a new nonce, and its policy, which permits style elements with that nonce: the editor of JSON and
 * CEL adds such an element. The policy of a page without a nonce stays unchanged.
 */
export function withStyleNonce(page: string, policy: string): { page: string; policy: string } {
  const nonce = randomBytes(18).toString('base64url');
  return {
    page: page.replaceAll(NONCE_PLACEHOLDER, nonce),
    policy: /style-src [^;]*/.test(policy)
      ? policy.replace(/style-src [^;]*/, `$& 'nonce-${nonce}'`)
      : `${policy}; style-src 'self' 'nonce-${nonce}'`,
  };
}
