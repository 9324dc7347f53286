import type { ServerResponse } from 'node:http';
import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { EngineLink } from '../engine/running-engine.ts';

/** The path that Prometheus scrapes by convention [M2]. */
export const SCRAPE_PATH = '/metrics';

/** Answers a scrape: the metrics as text, with the content type of their format. */
export async function answerScrape(link: EngineLink, response: ServerResponse): Promise<void> {
  const client: Client = createORPCClient(link);
  const { text, contentType } = await client.metrics.prometheus();
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}
