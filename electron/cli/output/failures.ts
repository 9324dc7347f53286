import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { SandglassError } from '../../../shared/model/errors.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';

/** Words that make no command. `command` is the one whose help may say more. */
export class WrongUsage extends Error {
  readonly command: string | undefined;
  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** A command that ends with a code other than 0, and a line for a person. */
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

export interface Told {
  exitCode: ExitCode;
  code: string;
  message: string;
  data: unknown;
}

/** An expected failure as it is told; undefined: a defect, whose stack says more. */
export function tell(error: unknown): Told | undefined {
  if (error instanceof WrongUsage) {
    const help = error.command === undefined ? 'sandglass help' : `sandglass help ${error.command}`;
    const message = `${error.message} \`${help}\` shows what there is.`;
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
    return { exitCode, code: String(error.code), message: systemInWords(error), data: {} };
  }
  return undefined;
}

/** What the system says of a file or an address; Node's own words where there are no better ones. */
function systemInWords(error: Error): string {
  const place = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return place === undefined ? error.message : `There is no file ${place}.`;
    case 'EISDIR':
      return place === undefined ? 'A file is needed, and this is a folder.' : `${place} is a folder.`;
    case 'EACCES':
      return place === undefined ? error.message : `You may not open ${place}.`;
    case 'ECONNREFUSED':
      return `Nobody answers at that address (${error.message}).`;
    case 'ENOTFOUND':
      return `There is no machine of that name (${error.message}).`;
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

/** What the engine says of arguments that are none: which field, and why. */
function refusedInput(data: unknown): string | undefined {
  const read = issues.safeParse(data);
  return read.success
    ? read.data.issues
        .map(({ path = [], message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
        .join('; ')
    : undefined;
}
