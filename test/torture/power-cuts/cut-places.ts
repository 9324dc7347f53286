import { dirname } from 'node:path';
import type { Random } from '../../support/random.ts';
import type { RecordedCall } from './recording.ts';

type FileCall = Exclude<RecordedCall, { kind: 'said' }>;

/** Calls after a change of names among which a file may have its name and not its content. */
const CALLS_NEAR = 15;

/**
 * Chooses where the power is cut, as positions in the trace in their order. Of four cuts one is anywhere, and one each where an
 * omitted sync shows: within a few calls of a change of names; just after a line, which promises something; and after the
 * sync of a file while a name is not durable yet. `names`: of files that were there before.
 */
export function cutPlaces(
  { calls, names }: { calls: readonly RecordedCall[]; names: Iterable<string> },
  random: Random,
  count: number,
): number[] {
  const ofFiles = calls.filter(call => call.kind !== 'said');
  const anywhere = () => random.pick(ofFiles).ended;
  const near = ofFiles.flatMap((call, i) => (isNameChange(call) ? [i] : []));
  const promises = [...Map.groupBy(linesOf(calls), ({ word }) => word).values()];
  const between = syncsWithoutNames(ofFiles, names);
  const kinds = [
    anywhere,
    ...(near.length === 0
      ? []
      : [() => (ofFiles[random.pick(near) + random.between(0, CALLS_NEAR)] ?? random.pick(ofFiles)).ended]),
    // A rare promise is chosen as often as one that is made with each write.
    ...(promises.length === 0 ? [] : [() => random.pick(random.pick(promises)).after]),
    ...(between.length === 0 ? [] : [() => random.pick(between)]),
  ];
  return Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] ?? anywhere)()).sort(
    (a, b) => a - b,
  );
}

function isNameChange({ kind }: FileCall): boolean {
  return kind === 'rename' || kind === 'link' || kind === 'unlink';
}

/** The first word of each line, and a position after it at which no further call has been made. */
function linesOf(calls: readonly RecordedCall[]): { word: string; after: number }[] {
  return calls.flatMap(call =>
    call.kind === 'said' ? [{ word: call.line.split(' ', 1)[0] ?? '', after: call.ended + 0.5 }] : [],
  );
}

/** Positions after the sync of a file while a name has changed in a folder that has not been synced since. */
function syncsWithoutNames(calls: readonly FileCall[], before: Iterable<string>): number[] {
  const places: number[] = [];
  const names = new Set(before);
  const pending = new Set<string>();
  for (const call of calls) {
    const { kind, path, ended } = call;
    // SQLite opens each file as if to create it.
    if (isNameChange(call) || (kind === 'open' && !names.has(path))) pending.add(dirname(path));
    else if (kind === 'sync' && !pending.delete(path) && pending.size > 0) places.push(ended + 0.5);
    if (kind === 'open') names.add(path);
    if (kind === 'rename' || kind === 'link') names.add(call.to);
    if (kind === 'rename' || kind === 'unlink') names.delete(path);
  }
  return places;
}
