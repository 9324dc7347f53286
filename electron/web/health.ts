import type { ServerResponse } from 'node:http';
import type { RunningEngine } from './engine/running-engine.ts';

/** Path for load balancers and containers; needs no token. */
export const HEALTH_PATH = '/healthz';

/** Answers 200 while the home store's engine runs, otherwise 503, without further details. */
export function answerHealth(
  response: ServerResponse,
  engineAt: () => Pick<RunningEngine, 'isRunning'>,
): void {
  const isRunning = engineAt().isRunning;
  response.writeHead(isRunning ? 200 : 503, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
  response.end(isRunning ? 'ok\n' : 'unavailable\n');
}
