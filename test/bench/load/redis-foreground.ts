import { Redis } from 'ioredis';
import { callSteadily } from './foreground.ts';

const client = new Redis(process.argv[2] ?? '');
await callSteadily(() => client.get('foreground'), 2);
