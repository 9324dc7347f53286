/** The members of a V8 CPU profile that are read here. */
export interface CpuProfile {
  nodes: readonly {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  /** The id of the node on top of the stack, for each sample. */
  samples: readonly number[];
}

/** URL of the engine thread's entry, as built or as source. */
const THREAD = /(dist\/node|electron\/engine)\/engine-thread\.(js|ts)$/;
/** URL of a source of the engine, for stories that run the engine on their own thread. */
const ENGINE = /electron\/engine\//;
/** Samples in which the thread waits. */
const IDLE = ['(idle)', '(program)'];

/** The profile of the engine's thread; of the thread with the engine's functions where there is no such thread. */
export function engineProfile(profiles: readonly CpuProfile[]): CpuProfile | undefined {
  const runs = (what: RegExp) => (profile: CpuProfile) =>
    profile.nodes.some(({ callFrame }) => what.test(callFrame.url));
  return profiles.find(runs(THREAD)) ?? profiles.find(runs(ENGINE));
}

export interface HotFunction {
  name: string;
  /** File and line. */
  place: string;
  /** Share of the samples in which the thread was busy, without called functions. */
  percent: number;
}

/** Returns the functions with the most time of their own, in descending order. */
export function hottest({ nodes, samples }: CpuProfile, most: number): HotFunction[] {
  const byId = new Map(nodes.map(node => [node.id, node.callFrame]));
  const counts = new Map<string, { name: string; place: string; count: number }>();
  let busy = 0;
  for (const id of samples) {
    const frame = byId.get(id);
    if (frame === undefined || IDLE.includes(frame.functionName)) continue;
    busy += 1;
    const name = frame.functionName || '(anonymous)';
    const file = frame.url.split('/').slice(-2).join('/');
    const place = file === '' ? '' : `${file}:${frame.lineNumber + 1}`;
    const key = `${name} ${place}`;
    const entry = counts.get(key) ?? { name, place, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ name, place, count }) => ({ name, place, percent: (100 * count) / busy }));
}
