import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { SandglassError } from '../../../shared/model/errors.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';

/** Invalid arguments. `command` is the one whose help is suggested. */
export class WrongUsage extends Error {
  readonly command: string | undefined;
  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** Ends a command with a code other than 0 and a message. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode;
  readonly data: Readonly<Record<string, unknown>>;
  constructor(exitCode: ExitCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.exitCode = exitCode;
    this.data = data;
  }
}

export function interrupted(message: string, data: Readonly<Record<string, unknown>> = {}): CommandFailed {
  return new CommandFailed(EXIT.interrupted, message, data);
}

export interface ReportedFailure {
  exitCode: ExitCode;
  code: string;
  message: string;
  data: unknown;
}

/** Converts an expected error for output. Returns undefined for a defect. */
export function expectedFailure(error: unknown): ReportedFailure | undefined {
  if (error instanceof WrongUsage) {
    const help = error.command === undefined ? 'sandglass help' : `sandglass help ${error.command}`;
    const message = `${error.message} See \`${help}\`.`;
    return { exitCode: EXIT.wrongUsage, code: 'WRONG_USAGE', message, data: {} };
  }
  if (error instanceof CommandFailed) {
    const { exitCode, message, data } = error;
    return { exitCode, code: codeName(exitCode), message, data };
  }
  if (error instanceof SandglassError || error instanceof ORPCError) {
    const { code, data } = error;
    return {
      exitCode: exitCodeOf(code),
      code,
      message: refusedInput(data) ?? error.message,
      data: data ?? {},
    };
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const isNetwork = error.syscall === 'connect' || error.syscall === 'getaddrinfo';
    const exitCode = isNetwork ? EXIT.unreachable : EXIT.failed;
    return { exitCode, code: String(error.code), message: formatSystemError(error), data: {} };
  }
  return undefined;
}

/** Returns a message for a system error of a file or an address; Node's message for unknown codes. */
function formatSystemError(error: Error): string {
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return path === undefined ? error.message : `There is no file ${path}.`;
    case 'EISDIR':
      return path === undefined ? 'A file is required, not a folder.' : `${path} is a folder.`;
    case 'EACCES':
      return path === undefined ? error.message : `Permission denied: ${path}.`;
    case 'ECONNREFUSED':
      return `No server listens at this address (${error.message}).`;
    case 'ENOTFOUND':
      return `The host name cannot be resolved (${error.message}).`;
    default:
      return error.message;
  }
}

function codeName(exitCode: ExitCode): string {
  const name = Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0] ?? 'failed';
  return name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
}

const issues = z.object({
  issues: z.array(z.object({ message: z.string(), path: z.array(z.unknown()).optional() })).min(1),
});

/** Returns the messages of a validation error with their fields; undefined for other data. */
function refusedInput(data: unknown): string | undefined {
  const read = issues.safeParse(data);
  return read.success
    ? read.data.issues
        .map(({ path = [], message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
        .join('; ')
    : undefined;
}
