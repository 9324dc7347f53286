import { dirname, join, normalize, sep } from 'node:path';
import { importsOf } from './layers.ts';

/** Each node with the nodes that it points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

interface Source {
  path: string;
  source: string;
}

/** The imports between the files given, those of types included. */
export function fileGraph(files: readonly Source[]): Graph {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, source }) => {
      const targets = importsOf(source)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier =>
          normalize(join(dirname(path), specifier))
            .split(sep)
            .join('/'),
        );
      return [path, new Set(targets.filter(target => paths.has(target)))];
    }),
  );
}

/** The room of a file: its folder. `renderer/api.ts` is the entry of `renderer/api`. */
function roomOf(path: string): string {
  return path === 'renderer/api.ts' ? 'renderer/api' : dirname(path);
}

/** The imports between the rooms of a graph of files. */
export function roomGraph(files: Graph): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [path, targets] of files) {
    const room = roomOf(path);
    const others = rooms.get(room) ?? new Set();
    rooms.set(room, others);
    for (const target of targets) if (roomOf(target) !== room) others.add(roomOf(target));
  }
  return rooms;
}

/** Every group of nodes that reach each other, sorted: the strongly connected components of two or more (Tarjan). */
export function circlesOf(graph: Graph): string[][] {
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const index = indexes.size;
    let low = index;
    indexes.set(node, index);
    stack.push(node);
    for (const target of graph.get(node) ?? []) {
      const known = indexes.get(target);
      if (known === undefined) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, known);
    }
    if (low === index) {
      const circle = stack.splice(stack.indexOf(node)).sort();
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return circles;
}
