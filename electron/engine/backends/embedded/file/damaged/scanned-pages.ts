import { setImmediate } from 'node:timers/promises';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { PAGE_BYTES, type PageReader, type TableRow } from './page-records.ts';
import { SHAPES, type Shape, shapeOf } from './table-shapes.ts';

/** Pages between two turns of other work. */
const PAGES_A_TURN = 256;
/** Levels of a b-tree at most, as in SQLite. */
const DEEPEST = 20;
/** Rows of a page that decide to which table it belongs. */
const SAMPLE = 2;

/** Pages with rows of one table: the b-tree from one page down. */
export interface FoundTree {
  readonly root: number;
  readonly shape: Shape;
  readonly pages: readonly number[];
}

export interface FoundPages {
  /** By their root. A tree one of whose branches is damaged is found in parts. */
  readonly trees: ReadonlyMap<number, FoundTree>;
  /** Records of the table `meta`, which has no row numbers. */
  readonly meta: readonly (readonly [key: string, value: string | number | null])[];
  /** Whether the list of unused pages was read to its end: then no tree is one that was deleted. */
  readonly isUnusedKnown: boolean;
}

/** Reads every page of a file, and finds the b-trees with rows of a store. Throws CANCELLED. */
export async function scanPages(reader: PageReader, signal: AbortSignal): Promise<FoundPages> {
  const unused = unusedPages(reader);
  const parents = new Uint32Array(reader.pages + 1);
  const shapes = new Uint8Array(reader.pages + 1);
  let meta: FoundPages['meta'] = [];
  for (let page = 1; page <= reader.pages; page++) {
    if (page % PAGES_A_TURN === 0) {
      await setImmediate();
      if (signal.aborted) throw new SandglassError('CANCELLED', 'The recovery was cancelled.');
    }
    if (unused.pages.has(page)) continue;
    const read = reader.read(page, SAMPLE);
    if (read.kind === 'branch') {
      const whole = reader.read(page);
      if (whole.kind === 'branch') for (const child of whole.children) parents[child] = page;
    } else if (read.kind === 'rows') shapes[page] = shapeNumber(read.rows);
    else if (read.kind === 'keys' && meta.length === 0) meta = metaIn(reader.read(page));
  }
  return { trees: treesOf(parents, shapes), meta, isUnusedKnown: unused.isWhole };
}

/** 0: no table of interest; otherwise its place in SHAPES, from 1. */
function shapeNumber(rows: readonly TableRow[]): number {
  const [first, ...others] = rows.map(shapeOf);
  if (first === undefined || first === null) return 0;
  return others.every(shape => shape === first) ? SHAPES.indexOf(first) + 1 : 0;
}

function treesOf(parents: Uint32Array, shapes: Uint8Array): Map<number, FoundTree> {
  const trees = new Map<number, { root: number; shape: Shape; pages: number[] }>();
  for (let page = 1; page < shapes.length; page++) {
    const shape = SHAPES[(shapes[page] ?? 0) - 1];
    if (shape === undefined) continue;
    let root = page;
    for (let level = 0; level < DEEPEST && (parents[root] ?? 0) !== 0; level++) root = parents[root] ?? 0;
    const tree = trees.get(root);
    if (tree === undefined) trees.set(root, { root, shape, pages: [page] });
    else if (tree.shape === shape) tree.pages.push(page);
  }
  return trees;
}

function metaIn(page: ReturnType<PageReader['read']>): FoundPages['meta'] {
  if (page.kind !== 'keys') return [];
  const found = page.records.flatMap(([key, value, ...others]) =>
    typeof key === 'string' &&
    others.length === 0 &&
    (value === null || typeof value === 'string' || typeof value === 'number')
      ? [[key, value] as const]
      : [],
  );
  const keys = found.map(([key]) => key);
  return keys.includes('swept') && keys.includes('nextSideTable') ? found : [];
}

interface UnusedPages {
  readonly pages: ReadonlySet<number>;
  readonly isWhole: boolean;
}

/**
 * The pages that no table uses: their list begins in the head of the file and is continued on trunk pages. If it is not whole, trunk pages
 * are found by their form: the page of the next one, a count, and so many numbers of pages. No page with rows or text has it.
 */
function unusedPages(reader: PageReader): UnusedPages {
  const head = reader.bytesOf(1);
  const listed = new Set<number>();
  for (let page = head.readUInt32BE(32); page !== 0; ) {
    const trunk = listed.has(page) ? null : trunkAt(reader, page);
    if (trunk === null) return unusedByForm(reader);
    for (const unused of [page, ...trunk.leaves]) listed.add(unused);
    page = trunk.next;
  }
  return listed.size === head.readUInt32BE(36) ? { pages: listed, isWhole: true } : unusedByForm(reader);
}

function unusedByForm(reader: PageReader): UnusedPages {
  const pages = new Set<number>();
  const nexts = new Set<number>();
  const trunks = new Set<number>();
  for (let page = 2; page <= reader.pages; page++) {
    const trunk = trunkAt(reader, page);
    if (trunk === null) continue;
    trunks.add(page);
    if (trunk.next !== 0) nexts.add(trunk.next);
    for (const unused of [page, ...trunk.leaves]) pages.add(unused);
  }
  return { pages, isWhole: [...nexts].every(next => trunks.has(next)) };
}

function trunkAt(reader: PageReader, page: number): { next: number; leaves: readonly number[] } | null {
  if (page < 2 || page > reader.pages) return null;
  const bytes = reader.bytesOf(page);
  const next = bytes.readUInt32BE(0);
  const count = bytes.readUInt32BE(4);
  if (next > reader.pages || count > PAGE_BYTES / 4 - 2) return null;
  const leaves = Array.from({ length: count }, (_, i) => bytes.readUInt32BE(8 + 4 * i));
  return leaves.every(leaf => leaf > 1 && leaf <= reader.pages) ? { next, leaves } : null;
}
