import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

/**
 * The allowed imports. Each source file belongs to the first row whose `from` matches its path. It may import files that match
 * one of `may`, files of its own row, and packages that `forbids` does not match. Any other import fails, and so does a file
 * without a row.
 */
export interface Layer {
  name: string;
  from: RegExp;
  may: readonly RegExp[];
  /** Packages this layer may not name, `node:` ones included. */
  forbids?: RegExp;
}

const SHARED = /^shared\//;
const MODEL = /^shared\/model\//;
const PLATFORM = /^electron\/engine\/platform\//;
const FILES = /^electron\/engine\/files\//;
const ACCESS = /^electron\/engine\/access\//;
const PROTOCOL = /^electron\/engine\/protocol\//;
/** The way to servers: SSH tunnels and certificates. */
const NETWORK = /^electron\/engine\/network\//;
/** The rooms of the engine that every part of it may use, each built on those before it. */
const BASE = [PLATFORM, FILES, ACCESS, PROTOCOL] as const;
const EXPIRY = /^electron\/engine\/expiry\//;
/** Side tables of deadlines with their counts, for any SQLite database. */
const DEADLINE_INDEX = /^electron\/engine\/deadline-index\//;
/** Figures by the minute, for any SQLite database. */
const METRIC_SERIES = /^electron\/engine\/metric-series\//;
const DEADLINE_MIRROR = /^electron\/engine\/deadline-mirror\//;
const POSTGRES_CONNECTION = /^electron\/engine\/backends\/postgresql\/connection\//;
const POSTGRES_GOVERNED = /^electron\/engine\/backends\/postgresql\/governed\//;
const BACKEND_PORT = /^electron\/engine\/backends\/(backend|port\/[a-z-]+)\.ts$/;
const REPLICATION = /^electron\/engine\/replication\//;
const FEEDS = /^electron\/engine\/feeds\//;
const MONITORING = /^electron\/engine\/monitoring\//;
const JOBS = /^electron\/engine\/jobs\//;
/** A policy compared with a store, and applied to it. */
const POLICY = /^electron\/engine\/policy\//;
const ENGINE = /^electron\/engine\//;
/** Starts the engine's thread. Hosts and the command line import only this room and the engine's base rooms. */
const ENGINE_CLIENT = /^electron\/engine\/client\.ts$/;
/** The parts that adapters of mirrored engines share. */
const MIRRORED = /^electron\/engine\/backends\/mirrored\//;
/** Test of a server's address, before it has an engine. */
const SERVER_PROBES = /^electron\/engine\/backends\/(redis|etcd|postgresql)\/probe\.ts$/;
/** Connections of a host, each with its supervised engine and its local socket. */
const HOST = /^electron\/host\//;
/** Stores outside React that components subscribe to. Contains none of the app's own values. */
const STATE = /^renderer\/state\//;
/** Rooms of the command line, each built on those before it: errors and terminal, arguments and help, the open store. */
const CLI_OUTPUT = /^electron\/cli\/output\//;
const CLI_SYNTAX = /^electron\/cli\/syntax\//;
const CLI_SESSION = /^electron\/cli\/session\//;
const COMPONENTS = /^renderer\/components\//;
const THEME = /^renderer\/theme\//;
/** The catalogue, the language and its formats. */
const I18N = /^renderer\/i18n\//;
const API = /^renderer\/api(\.ts|\/)/;
/** Modules that every feature of the window may import. */
const FEATURE_BASE = [API, COMPONENTS, THEME, STATE, I18N, SHARED] as const;
const RENDERER = /^renderer\//;
/** Flags, preparation and browsers: for the launcher, which runs before the app is built, and for the app. */
const START = /^electron\/start\//;
const MANIFEST = /^package\.json$/;

const NO_ELECTRON = /^electron($|\/)/;
const NO_RUNTIME = /^(node:|electron($|\/)|react|better-sqlite3|ws$)/;
const NO_NODE = /^(node:|electron($|\/)|better-sqlite3|ws$)/;
const NO_DATABASE = /^(electron($|\/)|better-sqlite3)/;

/** A room of the embedded store: it may import the rooms named, its own files, the index of deadlines and the engine's base. */
function embedded(room: string, ...may: readonly string[]): Layer {
  return {
    name: `embedded/${room}`,
    from: inEmbedded(room),
    may: [...may.map(inEmbedded), DEADLINE_INDEX, METRIC_SERIES, BACKEND_PORT, EXPIRY, ...BASE, SHARED],
    forbids: NO_ELECTRON,
  };
}

function inEmbedded(room: string): RegExp {
  return new RegExp(`^electron/engine/backends/embedded/${room}/`);
}

/**
 * The rooms of a folder of the window, each with the rooms that it may import beside its own files and `base`. Files
 * beside the rooms compose them; no room imports those, except the style sheets that all rooms share.
 */
function roomsOf(
  folder: string,
  base: readonly RegExp[],
  rooms: Readonly<Record<string, readonly string[]>>,
): Layer[] {
  const inRoom = (room: string) => new RegExp(`^${folder}/${room}/`);
  const styles = new RegExp(`^${folder}/[^/]+\\.module\\.css$`);
  return [
    ...Object.entries(rooms).map(([room, may]) => ({
      name: `${folder}/${room}`,
      from: inRoom(room),
      may: [...may.map(inRoom), styles, ...base],
      forbids: NO_NODE,
    })),
    {
      name: folder,
      from: new RegExp(`^${folder}/[^/]+$`),
      may: [new RegExp(`^${folder}/`), ...base],
      forbids: NO_NODE,
    },
  ];
}

const LAYERS: readonly Layer[] = [
  { name: 'shared/model', from: MODEL, may: [], forbids: NO_RUNTIME },
  { name: 'shared/contract', from: /^shared\/contract\//, may: [MODEL], forbids: NO_RUNTIME },
  {
    name: 'shared/policy',
    from: /^shared\/policy\//,
    may: [/^shared\/contract\//, MODEL],
    forbids: NO_RUNTIME,
  },
  { name: 'engine/platform', from: PLATFORM, may: [SHARED], forbids: NO_ELECTRON },
  { name: 'engine/files', from: FILES, may: [PLATFORM, SHARED], forbids: NO_DATABASE },
  { name: 'engine/access', from: ACCESS, may: [PLATFORM, FILES, SHARED], forbids: NO_DATABASE },
  { name: 'engine/protocol', from: PROTOCOL, may: [PLATFORM, ACCESS, SHARED], forbids: NO_DATABASE },
  { name: 'engine/network', from: NETWORK, may: [PLATFORM, SHARED], forbids: NO_DATABASE },
  { name: 'engine/expiry', from: EXPIRY, may: [PLATFORM, SHARED], forbids: NO_DATABASE },
  { name: 'engine/deadline-index', from: DEADLINE_INDEX, may: [SHARED], forbids: NO_ELECTRON },
  {
    name: 'engine/metric-series',
    from: METRIC_SERIES,
    may: [DEADLINE_INDEX, SHARED],
    forbids: NO_ELECTRON,
  },
  {
    name: 'engine/deadline-mirror',
    from: DEADLINE_MIRROR,
    may: [DEADLINE_INDEX, METRIC_SERIES, BACKEND_PORT, EXPIRY, ...BASE, SHARED],
    forbids: NO_ELECTRON,
  },
  {
    name: 'engine/backends/mirrored',
    from: MIRRORED,
    may: [DEADLINE_MIRROR, BACKEND_PORT, NETWORK, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/backends/redis',
    from: /^electron\/engine\/backends\/redis\//,
    may: [MIRRORED, DEADLINE_MIRROR, BACKEND_PORT, NETWORK, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/backends/etcd',
    from: /^electron\/engine\/backends\/etcd\//,
    may: [MIRRORED, DEADLINE_MIRROR, BACKEND_PORT, NETWORK, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    // Session and quoting are for every part of the adapter; `governed` depends on nothing else of it.
    name: 'engine/backends/postgresql/connection',
    from: POSTGRES_CONNECTION,
    may: [NETWORK, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/backends/postgresql/governed',
    from: POSTGRES_GOVERNED,
    may: [POSTGRES_CONNECTION, BACKEND_PORT, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/backends/postgresql',
    from: /^electron\/engine\/backends\/postgresql\//,
    may: [POSTGRES_CONNECTION, POSTGRES_GOVERNED, BACKEND_PORT, NETWORK, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/backends/backend.ts',
    from: BACKEND_PORT,
    may: [NETWORK, EXPIRY, ...BASE, SHARED],
    forbids: NO_ELECTRON,
  },
  embedded('tables'),
  embedded('catalog', 'tables'),
  embedded('file', 'tables'),
  embedded('write', 'catalog', 'tables', 'file'),
  embedded('read/preview', 'read', 'catalog', 'tables', 'file'),
  embedded('read', 'catalog', 'tables', 'file'),
  embedded('administration', 'read', 'write', 'catalog', 'tables', 'file'),
  embedded('definitions', 'write', 'catalog', 'tables', 'file'),
  embedded('expiry', 'definitions', 'write', 'catalog', 'tables', 'file'),
  embedded('replica', 'definitions', 'write', 'catalog', 'tables', 'file'),
  {
    // The composition roots: one of the writing thread, one of the reading thread.
    name: 'embedded/store.ts',
    from: /^electron\/engine\/backends\/embedded\/(store|opened-file|embedded-reads|reader-threads)\.ts$/,
    may: [
      /^electron\/engine\/backends\/embedded\//,
      DEADLINE_INDEX,
      METRIC_SERIES,
      BACKEND_PORT,
      EXPIRY,
      ...BASE,
      SHARED,
    ],
    forbids: NO_ELECTRON,
  },
  {
    name: 'engine/replication',
    from: REPLICATION,
    may: [BACKEND_PORT, PLATFORM, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/feeds',
    from: FEEDS,
    may: [BACKEND_PORT, REPLICATION, PLATFORM, SHARED],
    forbids: NO_DATABASE,
  },
  { name: 'engine/jobs', from: JOBS, may: [BACKEND_PORT, ...BASE, SHARED], forbids: NO_DATABASE },
  {
    name: 'engine/policy',
    from: POLICY,
    may: [JOBS, BACKEND_PORT, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/monitoring',
    from: MONITORING,
    may: [BACKEND_PORT, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/maintenance',
    from: /^electron\/engine\/maintenance\//,
    may: [BACKEND_PORT, PLATFORM, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'engine/api',
    from: /^electron\/engine\/api\//,
    may: [BACKEND_PORT, REPLICATION, FEEDS, MONITORING, POLICY, JOBS, EXPIRY, ...BASE, SHARED],
    forbids: NO_DATABASE,
  },
  { name: 'engine/client.ts', from: ENGINE_CLIENT, may: [...BASE, SHARED], forbids: NO_ELECTRON },
  {
    name: 'engine/engine-thread.ts',
    from: /^electron\/engine\/(engine-thread|serve-ports|engine|remote-engine|reader-thread|serve-reads)\.ts$/,
    may: [ENGINE, SHARED],
    forbids: NO_ELECTRON,
  },
  {
    name: 'host',
    from: HOST,
    may: [ENGINE_CLIENT, SERVER_PROBES, NETWORK, ...BASE, SHARED],
    forbids: NO_ELECTRON,
  },
  { name: 'desktop', from: /^electron\/desktop\//, may: [ENGINE_CLIENT, HOST, ...BASE, SHARED] },
  {
    name: 'web',
    from: /^electron\/web\//,
    may: [ENGINE_CLIENT, HOST, ...BASE, SHARED],
    forbids: NO_ELECTRON,
  },
  { name: 'cli/output', from: CLI_OUTPUT, may: [PLATFORM, SHARED], forbids: NO_DATABASE },
  { name: 'cli/syntax', from: CLI_SYNTAX, may: [CLI_OUTPUT, SHARED], forbids: NO_DATABASE },
  {
    name: 'cli/session',
    from: CLI_SESSION,
    may: [CLI_SYNTAX, CLI_OUTPUT, HOST, ENGINE_CLIENT, PLATFORM, FILES, SHARED, MANIFEST],
    forbids: NO_DATABASE,
  },
  {
    name: 'cli/commands',
    from: /^electron\/cli\/commands\//,
    may: [CLI_SESSION, CLI_SYNTAX, CLI_OUTPUT, PLATFORM, FILES, START, SHARED],
    forbids: NO_DATABASE,
  },
  {
    name: 'cli/commands.ts',
    from: /^electron\/cli\/(commands|run|sandglass)\.ts$/,
    may: [/^electron\/cli\//, PLATFORM, SHARED, MANIFEST],
    forbids: NO_DATABASE,
  },
  {
    name: 'main.ts',
    from: /^electron\/main\.ts$/,
    may: [/^electron\/desktop\//, HOST, ENGINE_CLIENT, ...BASE, SHARED, MANIFEST],
  },
  {
    name: 'serve.ts',
    from: /^electron\/serve\.ts$/,
    may: [/^electron\/web\//, HOST, ENGINE_CLIENT, ...BASE, SHARED, START, MANIFEST],
    forbids: NO_ELECTRON,
  },
  { name: 'preload.ts', from: /^electron\/preload\.ts$/, may: [SHARED], forbids: /^node:/ },
  {
    name: 'dev',
    from: /^electron\/dev\//,
    may: [PLATFORM, /^electron\/web\/(authentication|answer)\//, START, SHARED],
    forbids: NO_ELECTRON,
  },
  {
    name: 'launch.mjs',
    from: /^electron\/(launch\.mjs|sandglass\.mjs|dev\.mjs|prepare\.mjs|start\/)/,
    may: [],
    forbids: /^(?!node:)/,
  },
  { name: 'renderer/state', from: STATE, may: [], forbids: NO_NODE },
  { name: 'renderer/i18n', from: I18N, may: [/^renderer\/locales\//, MODEL], forbids: NO_NODE },
  { name: 'renderer/theme', from: THEME, may: [STATE], forbids: NO_NODE },
  ...roomsOf('renderer/components', [THEME, STATE, I18N, MODEL], {
    controls: [],
    figures: ['controls'],
    status: ['controls'],
    failure: ['controls'],
    code: ['failure'],
    time: ['controls', 'failure'],
    overlays: ['controls'],
    navigation: ['controls'],
    'canvas-chart': ['figures'],
    shortcuts: ['controls'],
    'data-grid': ['data-table', 'shortcuts'],
    'data-table': ['controls'],
  }),
  { name: 'renderer/api.ts', from: API, may: [STATE, I18N, SHARED], forbids: NO_NODE },
  ...roomsOf('renderer/features/activity', FEATURE_BASE, {
    history: [],
    filter: [],
    passes: ['history', 'filter'],
    feed: ['passes', 'filter'],
    'expired-model': ['passes', 'history'],
    restore: ['expired-model'],
    purge: ['expired-model'],
    dropped: ['purge', 'expired-model'],
    'expired-view': ['dropped', 'purge', 'restore', 'expired-model', 'passes', 'history', 'filter'],
    export: ['expired-model', 'passes', 'history'],
  }),
  ...roomsOf('renderer/features/documents', FEATURE_BASE, {
    expiration: [],
    list: [],
    staging: ['expiration'],
    editor: ['staging', 'expiration'],
    bulk: ['editor', 'staging', 'list', 'expiration'],
    table: ['editor', 'staging', 'list', 'expiration'],
    copy: ['table'],
    filter: ['table', 'editor', 'list'],
  }),
  ...roomsOf('renderer/features/timeline', FEATURE_BASE, {
    model: [],
    scene: ['model'],
    canvas: ['scene', 'model'],
  }),
  ...roomsOf('renderer/features/ttl-indexes', FEATURE_BASE, {
    draft: [],
    schema: [],
    format: [],
    preview: ['format'],
    form: ['preview', 'draft'],
    review: ['preview', 'format', 'draft'],
    history: ['review', 'preview', 'format', 'draft'],
    list: ['history', 'preview', 'format', 'schema'],
  }),
  {
    name: 'renderer/features',
    from: /^renderer\/features\/(?!(activity|documents|timeline|ttl-indexes)\/)/,
    may: FEATURE_BASE,
    forbids: NO_NODE,
  },
  {
    name: 'renderer/pages',
    from: /^renderer\/(pages\/|[A-Za-z-]+\.tsx?$)/,
    may: [RENDERER, SHARED],
    forbids: NO_NODE,
  },
];

/** Folders whose children may not import one another. */
const SEPARATE = [
  /^renderer\/features\/([^/]+)\//,
  /^electron\/engine\/backends\/(?!port\/|mirrored\/)([^/]+)\//,
];

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g;

/** Returns the import specifiers of one source text. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].map(match => match[1] ?? '');
}

/** Returns the forbidden imports of one file; `path` is relative to the root, with slashes. */
export function violationsOf(path: string, source: string): string[] {
  const layer = LAYERS.find(({ from }) => from.test(path));
  if (layer === undefined) return [`${path} belongs to no layer`];
  return importsOf(source).flatMap(specifier => {
    if (!specifier.startsWith('.')) {
      return layer.forbids?.test(specifier)
        ? [`${path} (${layer.name}) may not import the package ${specifier}`]
        : [];
    }
    const target = normalize(join(dirname(path), specifier))
      .split(sep)
      .join('/');
    if (SEPARATE.some(folder => differs(folder.exec(path)?.[1], folder.exec(target)?.[1]))) {
      return [`${path} may not import its neighbour ${target}`];
    }
    const allowed = layer.from.test(target) || layer.may.some(pattern => pattern.test(target));
    return allowed ? [] : [`${path} (${layer.name}) may not import ${target}`];
  });
}

function differs(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** Returns every source file below `root` that needs a row. */
export function sourceFiles(root: string): { path: string; source: string }[] {
  return ['shared', 'electron', 'renderer'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map(entry => join(entry.parentPath, entry.name))
      .map(file => ({ path: relative(root, file).split(sep).join('/'), source: readFileSync(file, 'utf8') })),
  );
}
