/** Entry of the thread that probes one file: a slow disk delays no other call. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { probeStore } from './probe.ts';

const { file } = z.object({ file: z.string() }).parse(workerData);
parentPort?.postMessage(probeStore(file));
