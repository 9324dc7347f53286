import Sqlite from 'better-sqlite3';
import { onTestFinished, vi } from 'vitest';

/** The error of a COMMIT that was made to fail. */
class Refused extends Error {}

/** Makes the writer's COMMIT fail once in stores that are opened from now on, each time that `arm` is called. */
export function refuseCommits() {
  let isArmed = false;
  let refused = 0;
  const prepare = Sqlite.prototype.prepare;
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT' || this.readonly) return statement;
    const { run } = statement;
    statement.run = () => {
      if (!isArmed) return Reflect.apply(run, statement, []);
      isArmed = false;
      refused += 1;
      throw new Refused();
    };
    return statement;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    arm(): void {
      isArmed = true;
    },
    disarm(): void {
      isArmed = false;
    },
    get refused() {
      return refused;
    },
  };
}
