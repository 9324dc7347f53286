import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { HostProcess } from './host-process.ts';

const DOCUMENTS = '/api/collections/c/documents';
/** Documents of one write. */
const MOST_AT_ONCE = 40;
/** So many of one deadline expire at once, as an interval. */
const CLIFF = 1_200;

/** Content of a document: its value, and when it expires (epoch ms). */
export interface Content {
  readonly v: number;
  readonly exp: number | null;
}

/** Contents that each document may have after the acknowledgements of the leader. `null`: it is absent. */
export class Account {
  readonly #allowed = new Map<string, (Content | null)[]>();
  acknowledged = 0;
  /** Writes of so many documents that they expire as an interval. */
  cliffs = 0;
  unanswered = 0;

  ids(): string[] {
    return [...this.#allowed.keys()];
  }

  /** A call begins that writes `next`: until it is answered, both are possible. */
  began(id: string, next: Content | null): void {
    this.#allowed.set(id, [...(this.#allowed.get(id) ?? [null]), next]);
  }

  answered(id: string, next: Content | null): void {
    this.#allowed.set(id, [next]);
    this.acknowledged += 1;
  }

  /** Returns what is wrong with the documents that the leader had when it was read, between two instants, epoch ms. */
  problems(found: ReadonlyMap<string, Content>, { from, to }: { from: number; to: number }): string[] {
    const problems: string[] = [];
    for (const [id, allowed] of this.#allowed) {
      const is = found.get(id) ?? null;
      const possible = allowed.flatMap(one => {
        if (one === null || one.exp === null || one.exp > to) return [one];
        return one.exp <= from ? [null] : [one, null];
      });
      if (!possible.some(one => one?.v === is?.v && one?.exp === is?.exp))
        problems.push(`${id} is ${JSON.stringify(is)} on the leader and may be ${JSON.stringify(possible)}`);
    }
    for (const id of found.keys())
      if (!this.#allowed.has(id)) problems.push(`${id} is on the leader and was never written`);
    return problems;
  }
}

/** Writes, replaces and deletes documents of its own on the leader, until `isOver`. */
export async function runClient(
  leader: HostProcess,
  account: Account,
  { name, random, isOver }: { name: string; random: Random; isOver: () => boolean },
): Promise<void> {
  let next = 0;
  let value = 0;
  /** Ids whose last call was answered: no call on them is still under way. */
  const settled: string[] = [];
  const attempt = async (ids: readonly string[], content: Content | null, call: () => Promise<unknown>) => {
    for (const id of ids) account.began(id, content);
    if ((await call()) !== null) {
      for (const id of ids) account.answered(id, content);
      return true;
    }
    account.unanswered += ids.length;
    await wait(20);
    return false;
  };
  while (!isOver()) {
    value += 1;
    const kind = random.next();
    const exp = random.chance(0.6) ? null : Date.now() + random.pick([100, 700, 2_000, 3_600_000]);
    const content = { v: value, exp };
    if (kind < 0.6 || settled.length < 20) {
      const isCliff = exp !== null && random.chance(0.03);
      const length = isCliff ? CLIFF : random.between(1, MOST_AT_ONCE);
      const ids = Array.from({ length }, () => `${name}-${next++}`);
      const body = ids.map(_id => ({ _id, ...content, text: 'x'.repeat(isCliff ? 20 : 200) }));
      const isDone = await attempt(ids, content, () =>
        accepted(leader, 'POST', `${DOCUMENTS}?atomic=true`, body),
      );
      if (isDone && exp === null) settled.push(...ids);
      if (isDone && isCliff) account.cliffs += 1;
    } else {
      const [id = ''] = settled.splice(random.between(0, settled.length - 1), 1);
      const isDeletion = kind < 0.85;
      const isDone = await attempt([id], isDeletion ? null : content, () =>
        isDeletion
          ? accepted(leader, 'DELETE', `${DOCUMENTS}/${id}`)
          : accepted(leader, 'PUT', `${DOCUMENTS}/${id}`, { ...content, text: 'y'.repeat(50) }),
      );
      if (isDone && !isDeletion && exp === null) settled.push(id);
    }
    await wait(random.between(0, 15));
  }
}

/** Returns null if nobody answered. Throws for a refusal. */
async function accepted(leader: HostProcess, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await leader.call(method, path, body);
  if (answer === null) return null;
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${JSON.stringify(answer.body).slice(0, 400)}`);
  return answer.body;
}
