import { Client } from 'pg';
import { callSteadily } from './foreground.ts';

/** Rows that are never due, which `fill` of the story writes. */
const LIVE_ROWS = 10_000;

const client = new Client({ connectionString: process.argv[2] });
await client.connect();
await callSteadily(
  () =>
    client.query('UPDATE rows SET body = body WHERE id = $1', [-1 - Math.floor(Math.random() * LIVE_ROWS)]),
  5,
);
