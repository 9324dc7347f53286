import type { LiveUpdate } from '../../../shared/contract/live.ts';
import { OutdatedSummaries } from '../feeds/outdated-summaries.ts';
import { UpdateThrottle } from '../feeds/update-throttle.ts';
import { connectionsFor } from './connections.ts';
import type { Context, Engine } from './context.ts';
import { api } from './procedure-guard.ts';

/** Interval of updates while only the time changes. */
const HEARTBEAT_MS = 1_000;

export const live = {
  watch: api.live.watch.handler(({ context, signal }) => watch(context, signal)),
};

async function* watch(
  { engine, caller }: Context,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveUpdate> {
  const { feed, backend, clock, jobs } = engine;
  const subscription = feed.subscribe();
  const isOver = () => signal?.aborted === true;
  try {
    const first = await backend.reads.summaries(null, clock.now());
    const outdated = new OutdatedSummaries();
    /** By collection: its next deadline, at which its summary changes without a write. */
    const nextDeadlines = new Map(first.map(({ name, nextDeadlineAt }) => [name, nextDeadlineAt]));
    let known = new Set(nextDeadlines.keys());
    let reported = new Map(jobs.list().map(job => [job.id, job]));
    let sentList = engine.connections.list;
    const connections = connectionsFor(engine, caller);
    const throttle = new UpdateThrottle(clock.elapsed());
    yield { ...header(engine), collections: first, dropped: [], jobs: jobs.list(), connections, first: true };
    while (!isOver()) {
      const wait = throttle.waitMs(clock.elapsed());
      if (wait > 0) await clock.sleep(wait, signal);
      if (outdated.isEmpty) await Promise.race([subscription.changed(), clock.sleep(HEARTBEAT_MS, signal)]);
      if (isOver()) return;
      const { collections: changed, hasNews } = subscription.take();
      const now = clock.now();
      for (const [name, at] of nextDeadlines) if (at !== null && at <= now) changed.add(name);
      outdated.add(changed);
      if (!hasNews && outdated.isEmpty) continue;
      const summaries = await backend.reads.summaries(
        outdated.take(name => !known.has(name)),
        now,
      );
      for (const { name, nextDeadlineAt } of summaries) nextDeadlines.set(name, nextDeadlineAt);
      const names = new Set(backend.collectionNames());
      const dropped = [...known].filter(name => !names.has(name));
      for (const name of dropped) nextDeadlines.delete(name);
      known = names;
      const current = jobs.list();
      const changedJobs = current.filter(job => reported.get(job.id) !== job);
      reported = new Map(current.map(job => [job.id, job]));
      throttle.sent(clock.elapsed());
      const update = { ...header(engine), collections: summaries, dropped, jobs: changedJobs, first: false };
      if (sentList === engine.connections.list) yield update;
      else {
        sentList = engine.connections.list;
        yield { ...update, connections: connectionsFor(engine, caller) };
      }
    }
  } finally {
    subscription.close();
  }
}

function header(engine: Engine): Pick<LiveUpdate, 'now' | 'revision' | 'reaper' | 'remote'> {
  return {
    now: engine.clock.now(),
    revision: engine.backend.revision,
    reaper: engine.reaperCalls.state(),
    ...(engine.kind === 'remote' ? { remote: engine.backend.remote } : {}),
  };
}
