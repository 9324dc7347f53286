import type { RecordedCall } from './recording.ts';

/** One line of strace, or two of a call during which another thread made one. */
interface Call {
  readonly name: string;
  /** From after the opening parenthesis to the end, with the result. */
  readonly text: string;
  readonly began: number;
  readonly ended: number;
}

type Place = Pick<Call, 'began' | 'ended'>;

/** Calls that change files in ways that a disk is not built from: none is made on the files of a store. */
const NOT_READ = new Set([
  'writev',
  'pwritev',
  'pwritev2',
  'fallocate',
  'copy_file_range',
  'sendfile',
  'truncate',
  'msync',
]);

/** Reads what `strace -f -y -xx` wrote of one process. */
export class TraceReader {
  readonly #folder: string;
  /** Offset at which a descriptor writes next, bytes; `append`: at the end of its file. */
  readonly #offsets = new Map<string, number | 'append'>();
  #printed = '';

  /** Only calls on `folder` and files below it are returned. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  read(trace: Buffer): RecordedCall[] {
    const calls = [...callsOf(trace)].sort((a, b) => a.began - b.began);
    return calls.flatMap(call => this.#recorded(call));
  }

  #recorded({ name, text, began, ended }: Call): RecordedCall[] {
    const result = /^\) += (\d+)/.exec(text.slice(text.lastIndexOf(') ')))?.[1];
    if (result === undefined) return [];
    const place = { began, ended };
    if (name === 'write' || name === 'pwrite64') return this.#written(name, text, Number(result), place);
    if (name === 'openat' || name === 'open' || name === 'creat') return this.#opened(text, result, place);
    const paths =
      name.startsWith('f') || NOT_READ.has(name) || name === 'sync_file_range'
        ? [pathOfDescriptor(text)]
        : quoted(text);
    const [path = '', to = ''] = paths;
    if (!this.#isInside(path)) return [];
    if (NOT_READ.has(name)) throw new Error(`${name} on ${path} is not understood`);
    switch (name) {
      case 'fsync':
      case 'fdatasync':
        return [{ kind: 'sync', path, ...place }];
      case 'ftruncate':
        return [{ kind: 'truncate', path, size: lastNumber(text), ...place }];
      case 'rename':
      case 'renameat':
      case 'renameat2':
        return [{ kind: 'rename', path, to, ...place }];
      case 'link':
      case 'linkat':
        return [{ kind: 'link', path, to, ...place }];
      case 'mkdir':
      case 'mkdirat':
        return [{ kind: 'mkdir', path, ...place }];
      case 'rmdir':
        return [{ kind: 'rmdir', path, ...place }];
      case 'unlink':
      case 'unlinkat':
        return [{ kind: text.includes('AT_REMOVEDIR') ? 'rmdir' : 'unlink', path, ...place }];
      default:
        return [];
    }
  }

  #opened(text: string, descriptor: string, place: Place): RecordedCall[] {
    const path = unhex(/= \d+<([^>]*)>/.exec(text.slice(text.lastIndexOf(') ')))?.[1] ?? '');
    if (!this.#isInside(path)) return [];
    this.#offsets.set(descriptor, text.includes('O_APPEND') ? 'append' : 0);
    const creates = text.includes('O_CREAT');
    const truncates = text.includes('O_TRUNC');
    return creates || truncates ? [{ kind: 'open', path, creates, truncates, ...place }] : [];
  }

  #written(name: string, text: string, count: number, place: Place): RecordedCall[] {
    const descriptor = text.slice(0, text.indexOf('<'));
    const path = pathOfDescriptor(text);
    if (name === 'write' && descriptor === '1') return this.#said(unhexBytes(text).toString(), place);
    if (!this.#isInside(path)) return [];
    const bytes = unhexBytes(text).subarray(0, count);
    if (bytes.length !== count)
      throw new Error(`the trace has ${bytes.length} of ${count} bytes written to ${path}`);
    if (name === 'pwrite64') return [{ kind: 'write', path, at: lastNumber(text), bytes, ...place }];
    const offset = this.#offsets.get(descriptor) ?? 0;
    if (offset === 'append') return [{ kind: 'append', path, bytes, ...place }];
    this.#offsets.set(descriptor, offset + count);
    return [{ kind: 'write', path, at: offset, bytes, ...place }];
  }

  #said(text: string, place: Place): RecordedCall[] {
    const lines = (this.#printed + text).split('\n');
    this.#printed = lines.pop() ?? '';
    return lines.map(line => ({ kind: 'said' as const, line, ...place }));
  }

  #isInside(path: string): boolean {
    return path === this.#folder || path.startsWith(`${this.#folder}/`);
  }
}

function* callsOf(trace: Buffer): Generator<Call> {
  const unfinished = new Map<string, { name: string; text: string; began: number }>();
  let line = 0;
  for (let from = 0; from < trace.length; line++) {
    const end = trace.indexOf('\n', from);
    const text = trace.toString('latin1', from, end === -1 ? trace.length : end);
    from = end === -1 ? trace.length : end + 1;
    const head = /^(\d+) +(?:<\.\.\. )?(\w+)(\(| resumed>)/.exec(text);
    if (head === null) continue;
    const [all, thread = '', name = '', kind] = head;
    const rest = text.slice(all.length);
    if (kind === ' resumed>') {
      const first = unfinished.get(thread);
      unfinished.delete(thread);
      if (first !== undefined) yield { name, text: first.text + rest, began: first.began, ended: line };
    } else if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, { name, text: rest.slice(0, -' <unfinished ...>'.length), began: line });
    } else yield { name, text: rest, began: line, ended: line };
  }
}

/** Returns PATH of `3<PATH>, …`; empty if the file has been deleted. */
function pathOfDescriptor(text: string): string {
  const from = text.indexOf('<');
  const end = text.indexOf('>', from);
  if (from === -1 || text.startsWith('(deleted)', end + 1)) return '';
  return unhex(text.slice(from + 1, end));
}

/** The last argument of a call. */
function lastNumber(text: string): number {
  const given = /, (\d+)\) +=/.exec(text.slice(-80))?.[1];
  if (given === undefined) throw new Error(`a call ends as no other does: ${text.slice(-80)}`);
  return Number(given);
}

function quoted(text: string): string[] {
  return [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => unhex(hex));
}

function unhex(text: string): string {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex').toString();
}

/** The bytes of the first quoted text. */
function unhexBytes(text: string): Buffer {
  const from = text.indexOf('"') + 1;
  return Buffer.from(text.slice(from, text.indexOf('"', from)).replaceAll('\\x', ''), 'hex');
}
