import { expect, it } from 'vitest';
import { NONCE_PLACEHOLDER, withStyleNonce } from '../../../electron/host/style-nonce.ts';

const PAGE = `<meta property="csp-nonce" nonce="${NONCE_PLACEHOLDER}">`;

it('every response has its own nonce, in the page and in its policy for styles only', () => {
  const [first, second] = [
    withStyleNonce(PAGE, "style-src 'self'"),
    withStyleNonce(PAGE, "style-src 'self'"),
  ];
  const nonce = /nonce="([\w-]{24})"/.exec(first.page)?.[1];
  expect(first.policy).toBe(`style-src 'self' 'nonce-${nonce}'`);
  expect(first.page).not.toBe(second.page);
});

it('a policy without a rule for styles gets one, and its other rules do not change', () => {
  const { policy } = withStyleNonce(PAGE, "default-src 'self'; object-src 'none'");
  expect(policy).toMatch(/^default-src 'self'; object-src 'none'; style-src 'self' 'nonce-[\w-]{24}'$/);
});
