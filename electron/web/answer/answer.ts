import type { ServerResponse } from 'node:http';
import { stringifyJson } from '../../../shared/model/json/json.ts';

/**
 * `style-src` needs no exception: the page styles through style sheets and the CSSOM alone. Nothing is ever loaded
 * from elsewhere, and no other page may frame this one.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Set on every answer, also of what is refused. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A failure as REST tells it. Codes of the contract, and a few that only HTTP knows. */
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

/** `{code, message, data}`, the shape of every error on this host. */
export function failureBody({ code, message, data }: Omit<Failure, 'status'>): object {
  return { code, message, data: data ?? {} };
}

export function answerFailure(response: ServerResponse, failure: Failure): void {
  answerJson(response, failure.status, failureBody(failure));
}
