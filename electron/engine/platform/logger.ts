import { SandglassError } from '../../../shared/model/errors.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * One line per event on standard error; standard output is the program's answer. A stack follows on indented lines.
 * Stored text is escaped: no `_id` can begin a line.
 */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** An error as fields of a log line, with its stack unless it is an expected error. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (error instanceof SandglassError) return { error: error.message, code: error.code };
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
}

/** A logger that drops events below `level`. */
export function createLogger(level: LogLevel, now: () => number, write = writeToStandardError): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(name) < threshold) return;
      write(`${new Date(now()).toISOString()} ${name} ${visibleText(message)}${formatFields(fields)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function formatFields(fields: Record<string, unknown>): string {
  const { stack, ...others } = fields;
  const line = Object.entries(others)
    .map(([key, value]) => ` ${key}=${visibleText(typeof value === 'string' ? value : stringify(value))}`)
    .join('');
  if (typeof stack !== 'string') return line;
  return `${line}${stack
    .split('\n')
    .map(one => `\n    ${visibleText(one.trim())}`)
    .join('')}`;
}

function stringify(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function writeToStandardError(line: string): void {
  process.stderr.write(line);
}
