/** One call on the object under test. Times are on one clock, in any unit. */
export interface Call<Operation> {
  readonly calledAt: number;
  /** No call takes effect after its end. For a call without an answer: the instant at which its server had ended. */
  readonly returnedAt: number;
  readonly operation: Operation;
}

/** The object as a sequential one. Several next states: the outcome is not determined, or was not seen. */
export interface Model<State, Operation> {
  readonly initial: State;
  /** Returns the states in which the operation, with the answer that it got, may leave the object; none: impossible. */
  next(state: State, operation: Operation): readonly State[];
  /** A text that is equal for equal states only. */
  key(state: State): string;
}

export interface Verdict<Operation> {
  /** `unknown`: the limit of steps was reached. */
  readonly is: 'linearizable' | 'not linearizable' | 'unknown';
  /** The longest order that was found, and the calls that could not follow. Empty if it is linearizable. */
  readonly found: readonly Call<Operation>[];
  readonly stuck: readonly Call<Operation>[];
}

const MOST_STEPS = 2_000_000;

/** The begin or the end of a call, in a linked list by time. */
interface Entry<Operation> {
  readonly id: number;
  readonly call: Call<Operation>;
  /** The end of the call; null: this is the end. */
  readonly end: Entry<Operation> | null;
  before: Entry<Operation> | null;
  after: Entry<Operation> | null;
}

interface Possible<State> {
  readonly states: readonly State[];
  readonly key: string;
}

/**
 * Decides whether the calls have an order that the model allows, in which no call precedes one that had ended before
 * it began. The algorithm of Porcupine: Wing & Gong's search with Lowe's cache of visited pairs (calls ordered so far,
 * states). A model whose outcome is not determined is followed in all of its states at once.
 */
export function linearize<State, Operation>(
  model: Model<State, Operation>,
  calls: readonly Call<Operation>[],
  mostSteps = MOST_STEPS,
): Verdict<Operation> {
  const head = linked(calls);
  const isOrdered = new Uint8Array(calls.length);
  const path: { entry: Entry<Operation>; before: Possible<State> }[] = [];
  const visited = new Set<string>();
  let possible: Possible<State> = { states: [model.initial], key: model.key(model.initial) };
  let longest: Call<Operation>[] = [];
  let stuck: Call<Operation>[] = [];
  let entry = head.after;
  for (let steps = 0; head.after !== null; steps++) {
    if (steps > mostSteps) return { is: 'unknown', found: longest, stuck };
    if (entry === null) throw new Error('a call has no end');
    if (entry.end !== null) {
      const following = step(model, possible, entry.call.operation);
      if (following !== null) {
        isOrdered[entry.id] = 1;
        const place = placeOf(isOrdered, path.length + 1, following.key);
        if (!visited.has(place)) {
          visited.add(place);
          path.push({ entry, before: possible });
          possible = following;
          lift(entry);
          entry = head.after;
          continue;
        }
        isOrdered[entry.id] = 0;
      }
      entry = entry.after;
      continue;
    }
    if (path.length >= longest.length) {
      longest = path.map(({ entry: { call } }) => call);
      stuck = open(head);
    }
    const last = path.pop();
    if (last === undefined) return { is: 'not linearizable', found: longest, stuck };
    possible = last.before;
    isOrdered[last.entry.id] = 0;
    unlift(last.entry);
    entry = last.entry.after;
  }
  return { is: 'linearizable', found: [], stuck: [] };
}

function step<State, Operation>(
  model: Model<State, Operation>,
  { states }: Possible<State>,
  operation: Operation,
): Possible<State> | null {
  const next = new Map<string, State>();
  for (const state of states) for (const one of model.next(state, operation)) next.set(model.key(one), one);
  if (next.size === 0) return null;
  const sorted = [...next].sort(([a], [b]) => (a < b ? -1 : 1));
  return { states: sorted.map(([, state]) => state), key: sorted.map(([key]) => key).join('|') };
}

/** Names the set of ordered calls and the states: the first call not ordered, and the ordered ones after it. */
function placeOf(isOrdered: Uint8Array, count: number, key: string): string {
  let first = 0;
  while (isOrdered[first] === 1) first += 1;
  const later: number[] = [];
  for (let i = first + 1; first + later.length < count; i++) if (isOrdered[i] === 1) later.push(i);
  return `${first}:${later.join(',')}:${key}`;
}

function linked<Operation>(calls: readonly Call<Operation>[]): { after: Entry<Operation> | null } {
  const sorted = [...calls].sort((a, b) => a.calledAt - b.calledAt);
  const entries = sorted.flatMap((call, id) => {
    const end: Entry<Operation> = { id, call, end: null, before: null, after: null };
    const begin: Entry<Operation> = { id, call, end, before: null, after: null };
    return [begin, end];
  });
  const at = ({ call, end }: Entry<Operation>) => (end === null ? call.returnedAt : call.calledAt);
  // A call that ends at the instant at which another one begins may be concurrent with it.
  entries.sort((a, b) => at(a) - at(b) || Number(a.end === null) - Number(b.end === null));
  const [first] = entries;
  if (first === undefined) return { after: null };
  const head: Entry<Operation> = { id: -1, call: first.call, end: null, before: null, after: first };
  for (const [i, entry] of entries.entries()) {
    entry.before = entries[i - 1] ?? head;
    entry.after = entries[i + 1] ?? null;
  }
  return head;
}

/** Takes the begin and the end of a call out of the list. */
function lift<Operation>(begin: Entry<Operation>): void {
  for (const entry of [begin, begin.end]) {
    if (entry === null) continue;
    if (entry.before !== null) entry.before.after = entry.after;
    if (entry.after !== null) entry.after.before = entry.before;
  }
}

/** Puts them back, in the opposite order. */
function unlift<Operation>(begin: Entry<Operation>): void {
  for (const entry of [begin.end, begin]) {
    if (entry === null) continue;
    if (entry.before !== null) entry.before.after = entry;
    if (entry.after !== null) entry.after.before = entry;
  }
}

/** The calls that had begun before the first end in the list. */
function open<Operation>(head: { after: Entry<Operation> | null }): Call<Operation>[] {
  const calls: Call<Operation>[] = [];
  for (let entry = head.after; entry !== null && entry.end !== null; entry = entry.after)
    calls.push(entry.call);
  return calls;
}
