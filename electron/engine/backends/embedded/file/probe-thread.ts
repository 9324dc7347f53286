/** Entry of the thread that looks at one file: a disk that is slow to answer delays nobody else. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { probeStore } from './probe.ts';

const { file } = z.object({ file: z.string() }).parse(workerData);
parentPort?.postMessage(probeStore(file));
