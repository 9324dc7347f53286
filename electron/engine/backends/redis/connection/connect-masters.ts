import { ClusterMasters } from './cluster-masters.ts';
import type { Masters, MastersOptions } from './masters.ts';
import type { RedisTarget } from './redis-uri.ts';
import { SingleMaster } from './single-master.ts';

/** Starts to connect to the masters of a deployment. */
export function connectMasters(target: RedisTarget, options: MastersOptions): Masters {
  const { place } = target;
  return place.is === 'cluster'
    ? new ClusterMasters({ ...target, place }, options)
    : new SingleMaster({ ...target, place }, options);
}
