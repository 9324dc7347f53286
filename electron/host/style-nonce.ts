import { randomBytes } from 'node:crypto';

/** In the built `index.html` where the nonce of its response goes. */
export const NONCE_PLACEHOLDER = 'STYLE_NONCE';

/**
 * Returns a page with a nonce of its own, and its policy, which permits style elements with that nonce: the editor of
 * JSON and CEL adds one. A page without a nonce keeps the policy.
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
