import { type MessagePort, Worker } from 'node:worker_threads';
import { entryUrl } from '../../platform/entry-url.ts';
import { deserializeError, type SerializedError } from '../../protocol/thread-messages.ts';
import type { EmbeddedBackendReads, ReaderAccess } from '../backend.ts';

/** Methods that the reader thread serves. */
export type ReadMethod = Exclude<keyof EmbeddedBackendReads, 'waiting' | 'answered' | 'serve' | 'committed'>;
export type ReadRequest =
  /** Sent once, before anything else. */
  | { kind: 'open'; file: string }
  | { kind: 'call'; id: number; method: ReadMethod; args: unknown[] }
  | { kind: 'cancel'; id: number }
  | { kind: 'serve'; port: MessagePort; access: ReaderAccess }
  /** Something was committed; sent once a port is served. */
  | { kind: 'committed' };
export type ReadAnswer = { id: number; result: unknown } | { id: number; error: SerializedError };

/** Scans and watches, which do not count as waiting calls. */
const LOW_PRIORITY: ReadonlySet<ReadMethod> = new Set([
  'preview',
  'candidates',
  'changes',
  'isInLog',
  'replicaEntries',
  'replicaSnapshot',
  'series',
  'exportPage',
]);

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const ENTRY = entryUrl('../../reader-thread.ts', import.meta.url);

/** MB, by default 192. Reads leave little behind: more would only delay the collection of what loading the code left. */
const YOUNG_GENERATION_MB = 6;
const startWorker = () =>
  new Worker(ENTRY, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });

let preloaded: Worker | null = null;

/** Starts the thread early so that it loads its code. Call `endUnusedReaderThread` if no store is opened. */
export function preloadReaderThread(): void {
  preloaded = startWorker();
}

export async function endUnusedReaderThread(): Promise<void> {
  await preloaded?.terminate();
  preloaded = null;
}

/**
 * EmbeddedBackendReads answered by the reader thread. If the thread ends, pending calls are rejected and `onDeath` is
 * called; the engine must then stop, since it can no longer answer.
 */
export function startThreadReads(file: string, onDeath: (error: Error) => void): EmbeddedBackendReads {
  const worker = preloaded ?? startWorker();
  preloaded = null;
  worker.postMessage({ kind: 'open', file } satisfies ReadRequest);
  const waiting = new Map<number, Waiting>();
  let scans = 0;
  let onAnswered: (() => void)[] = [];
  let nextId = 1;
  let isClosing = false;
  let isServing = false;
  /** Why the thread ended. */
  let death: Error | null = null;

  worker.on('message', (answer: ReadAnswer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) call?.reject(deserializeError(answer.error));
    else call?.resolve(answer.result);
    notifyAnswered();
  });
  const fail = (error: Error) => {
    death ??= error;
    for (const call of waiting.values()) call.reject(error);
    waiting.clear();
    notifyAnswered();
    if (!isClosing) onDeath(error);
  };
  worker.on('error', fail);
  worker.on('exit', code => fail(new Error(`the reader thread ended with code ${code}`)));

  /** Scans are not counted. */
  const callsWaiting = () => Math.max(0, waiting.size - scans);
  function notifyAnswered(): void {
    if (callsWaiting() > 0) return;
    for (const resolve of onAnswered) resolve();
    onAnswered = [];
  }

  function call<Method extends ReadMethod>(
    method: Method,
    args: unknown[],
    signal?: AbortSignal,
  ): ReturnType<EmbeddedBackendReads[Method]> {
    // It would never be answered.
    if (death !== null) return Promise.reject(death) as ReturnType<EmbeddedBackendReads[Method]>;
    const id = nextId++;
    const isScan = LOW_PRIORITY.has(method);
    if (isScan) scans += 1;
    const cancel = () => worker.postMessage({ kind: 'cancel', id } satisfies ReadRequest);
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const request: ReadRequest = { kind: 'call', id, method, args };
      worker.postMessage(request);
      if (signal?.aborted === true) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
    });
    const settle = () => {
      if (isScan) scans -= 1;
      signal?.removeEventListener('abort', cancel);
    };
    answer.then(settle, settle);
    // The reader thread answers with the result of this method.
    return answer as ReturnType<EmbeddedBackendReads[Method]>;
  }

  return {
    get waiting() {
      return callsWaiting();
    },
    answered: () =>
      callsWaiting() === 0 ? Promise.resolve() : new Promise(resolve => onAnswered.push(resolve)),
    summaries: (...args) => call('summaries', args),
    documents: (query, now, signal) => call('documents', [query, now], signal),
    document: (...args) => call('document', args),
    missing: (...args) => call('missing', args),
    matchingIds: (query, now, signal) => call('matchingIds', [query, now], signal),
    explain: (...args) => call('explain', args),
    indexes: (...args) => call('indexes', args),
    timeline: (...args) => call('timeline', args),
    preview: (query, context, signal) => call('preview', [query, context], signal),
    candidates: (collection, signal) => call('candidates', [collection], signal),
    passes: (...args) => call('passes', args),
    expired: (...args) => call('expired', args),
    changes: (...args) => call('changes', args),
    isInLog: (...args) => call('isInLog', args),
    replicaEntries: (...args) => call('replicaEntries', args),
    replicaSnapshot: (...args) => call('replicaSnapshot', args),
    storage: (...args) => call('storage', args),
    policyHistory: (...args) => call('policyHistory', args),
    droppedIndexes: (...args) => call('droppedIndexes', args),
    series: (...args) => call('series', args),
    exportPage: (...args) => call('exportPage', args),
    serve(port, access) {
      isServing = true;
      const request: ReadRequest = { kind: 'serve', port, access };
      if (death === null) worker.postMessage(request, [port]);
      else port.close();
    },
    committed() {
      if (isServing && death === null) worker.postMessage({ kind: 'committed' } satisfies ReadRequest);
    },
    close: async () => {
      isClosing = true;
      // A thread that ended answers nothing, and has closed its connections.
      if (death !== null) return;
      try {
        await call('close', []);
      } catch (error) {
        if (death === null) throw error;
      }
      await worker.terminate();
    },
  };
}
