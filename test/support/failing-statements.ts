import Sqlite from 'better-sqlite3';
import { onTestFinished, vi } from 'vitest';

/** The error of a statement that was made to fail. */
export class Failed extends Error {}

interface Runnable {
  run(...given: unknown[]): unknown;
  get(...given: unknown[]): unknown;
  all(...given: unknown[]): unknown;
}

/**
 * Makes statements fail that write, COMMIT and changes of the schema included, on connections of this thread that are
 * opened from now on until the test ends.
 */
export function failingStatements() {
  let left = -1;
  let failed = 0;
  const fail = (sql: string) => {
    if (left < 0 || left-- > 0) return;
    failed += 1;
    throw new Failed(sql);
  };
  const { prepare, exec } = Sqlite.prototype;
  const prepared = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (
    this: Sqlite.Database,
    sql,
  ) {
    const statement = prepare.call(this, sql);
    const writes = sql === 'COMMIT' || !(statement.readonly || sql === 'ROLLBACK' || sql.startsWith('BEGIN'));
    if (this.readonly || !writes) return statement;
    const runnable: Runnable = statement;
    for (const name of ['run', 'get', 'all'] as const) {
      const own = runnable[name];
      runnable[name] = (...given) => {
        fail(sql);
        return Reflect.apply(own, statement, given);
      };
    }
    return statement;
  });
  const executed = vi.spyOn(Sqlite.prototype, 'exec').mockImplementation(function (
    this: Sqlite.Database,
    sql,
  ) {
    if (!this.readonly) fail(sql);
    return exec.call(this, sql);
  });
  onTestFinished(() => {
    prepared.mockRestore();
    executed.mockRestore();
  });
  return {
    /** Makes one writing statement fail after so many others. */
    after(statements: number): void {
      left = statements;
    },
    none(): void {
      left = -1;
    },
    get failed() {
      return failed;
    },
  };
}

export type FailingStatements = ReturnType<typeof failingStatements>;

/** Parts of a store whose calls are made to fail, too. */
const PARTS = ['expiry', 'expired', 'purges', 'settings', 'holds', 'dropped', 'followers'];

/**
 * Returns an object whose calls first fail at a statement of their own, as `next` says (null: this call does not), and are
 * then repeated.
 */
export function repeatedAfterFailure<Target extends object>(
  target: Target,
  statements: FailingStatements,
  next: (name: string) => number | null,
): Target {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      const name = String(key);
      if (typeof value === 'object' && value !== null && PARTS.includes(name))
        return repeatedAfterFailure(value, statements, next);
      if (typeof value !== 'function') return value;
      if (name === 'close') return value.bind(target);
      return (...given: unknown[]) => {
        const after = next(name);
        if (after !== null) {
          statements.after(after);
          try {
            return Reflect.apply(value, target, given);
          } catch (error) {
            if (!(error instanceof Failed)) throw error;
          } finally {
            statements.none();
          }
        }
        return Reflect.apply(value, target, given);
      };
    },
  });
}
