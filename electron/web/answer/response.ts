import type { ServerResponse } from 'node:http';
import { stringifyJson } from '../../../shared/model/json/json.ts';

/** The window's page adds a nonce for its style elements (`host/style-nonce.ts`). */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Set on every response, including refusals. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A failed REST call. `code` is one of the contract's, or one of HTTP such as PAYLOAD_TOO_LARGE. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  data?: unknown;
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(stringifyJson(body));
}

/** Returns `{code, message, data}`, the body of every error response. */
export function failureBody({ code, message, data }: Omit<Failure, 'status'>): object {
  return { code, message, data: data ?? {} };
}

export function answerFailure(response: ServerResponse, failure: Failure): void {
  answerJson(response, failure.status, failureBody(failure));
}
