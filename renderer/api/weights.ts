import { useQuery } from '@tanstack/react-query';
import { client } from './session.ts';

/** The text is long where collections are many. */
const EVERY_MS = 120_000;

/** What is kept for watchers and followers, and for restoring, in bytes. */
export interface Weights {
  log: number;
  retained: number;
}

/** One figure of the text that `GET /metrics` answers [M2]; null where it has none of that name. */
export function gaugeOf(text: string, name: string): number | null {
  const line = text.split('\n').find(candidate => candidate.startsWith(`${name} `));
  const value = Number(line?.slice(name.length + 1).split(' ')[0]);
  return line === undefined || !Number.isFinite(value) ? null : value;
}

export function weightsOf(text: string): Weights | null {
  const log = gaugeOf(text, 'sandglass_ttl_log_bytes');
  const retained = gaugeOf(text, 'sandglass_ttl_retained_bytes');
  return log === null || retained === null ? null : { log, retained };
}

/** Null until it is known. */
export function useWeights(): Weights | null {
  const { data } = useQuery({
    queryKey: ['weights'],
    queryFn: async () => weightsOf((await client.metrics.prometheus()).text),
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });
  return data ?? null;
}
