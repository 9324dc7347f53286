import { connect, createServer, type Socket } from 'node:net';
import { createCockroachShapes } from './cockroach-shapes.ts';
import { freePort } from './free-port.ts';

/** A database of PostgreSQL that also answers the statements which only CockroachDB has. It is no CockroachDB. */
export interface CockroachServer {
  readonly uri: string;
  /** Changes of TTLs and schedules, in the order of their arrival. */
  readonly changes: readonly string[];
  /** Accepts connections again on the same port. */
  start(): Promise<void>;
  /** Cuts all connections, and refuses new ones until `start`. */
  stop(): Promise<void>;
}

/**
 * Gives an empty database of PostgreSQL the shapes of CockroachDB, and accepts connections to it on a port of its own: what
 * Sandglass sends is forwarded, and the statements that PostgreSQL lacks are replaced by ones over these shapes.
 */
export async function startCockroachServer(database: string): Promise<CockroachServer> {
  await createCockroachShapes(database);
  const changes: string[] = [];
  const sockets = new Set<Socket>();
  const target = new URL(database);
  const port = await freePort();
  const server = createServer(client => {
    const real = connect(Number(target.port), target.hostname);
    const frontend = new FrontendMessages(statement => replaced(statement, changes));
    for (const [socket, other] of [
      [client, real],
      [real, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', data => {
      for (const message of frontend.read(data)) real.write(message);
    });
    real.pipe(client);
  });
  const listen = () => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  await listen();
  const uri = new URL(database);
  uri.port = String(port);
  return {
    uri: uri.href,
    changes,
    start: listen,
    async stop() {
      if (!server.listening) return;
      const closed = new Promise(resolve => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const PROTOCOL_3 = 196_608;
const HEAD = 5;

/** Splits what a client sends into messages, and replaces the text of Query and Parse. */
class FrontendMessages {
  readonly #replace: (statement: string) => string;
  #rest = Buffer.alloc(0);
  #hasBegun = false;

  constructor(replace: (statement: string) => string) {
    this.#replace = replace;
  }

  read(data: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, data]);
    const messages: Buffer[] = [];
    for (let message = this.#next(); message !== null; message = this.#next()) messages.push(message);
    return messages;
  }

  /** Until the startup message, messages have a length and a code, and no type. Null: none is complete. */
  #next(): Buffer | null {
    const lengthAt = this.#hasBegun ? 1 : 0;
    if (this.#rest.length < lengthAt + 8 && !this.#hasBegun) return null;
    if (this.#rest.length < HEAD) return null;
    const end = lengthAt + this.#rest.readUInt32BE(lengthAt);
    if (this.#rest.length < end) return null;
    const message = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    if (this.#hasBegun) return this.#withText(message);
    this.#hasBegun = message.readUInt32BE(4) === PROTOCOL_3;
    return message;
  }

  #withText(message: Buffer): Buffer {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type !== 'Q' && type !== 'P') return message;
    // Parse begins with the name of the prepared statement.
    const from = type === 'Q' ? HEAD : message.indexOf(0, HEAD) + 1;
    const to = message.indexOf(0, from);
    const text = Buffer.from(this.#replace(message.toString('utf8', from, to)));
    const changed = Buffer.concat([message.subarray(0, from), text, message.subarray(to)]);
    changed.writeUInt32BE(changed.length - 1, 1);
    return changed;
  }
}

/** Returns the statement over the shapes that answers one of CockroachDB; any other one as it is. */
function replaced(statement: string, changes: string[]): string {
  const [, table = '', verb, list = ''] = /^ALTER TABLE (\S+) (SET|RESET) \((.*)\)$/s.exec(statement) ?? [];
  const [, action, schedule] = /^(PAUSE|RESUME) SCHEDULE (\d+)$/.exec(statement) ?? [];
  if (verb !== undefined || action !== undefined) changes.push(statement);
  if (verb !== undefined) return changeOf(table, verb === 'SET' ? given(list) : reset(list));
  if (action !== undefined) {
    const [status, next] = action === 'PAUSE' ? ['PAUSED', 'NULL'] : ['ACTIVE', "now() + interval '1 day'"];
    return `UPDATE crdb_internal.schedules SET schedule_status = '${status}', next_run = ${next} WHERE id = ${schedule}`;
  }
  return statement
    .replace(
      /^SHOW CLUSTER SETTING ([\w.]+)$/,
      `SELECT value AS "$1" FROM crdb_internal.settings WHERE name = '$1'`,
    )
    .replace('(SHOW SCHEDULES)', '(SELECT * FROM crdb_internal.schedules)')
    .replace(/^SELECT follower_read_timestamp\(\)$/, 'SELECT now()')
    .replace(/^BEGIN READ ONLY, AS OF SYSTEM TIME follower_read_timestamp\(\)$/, 'BEGIN READ ONLY');
}

/** A parameter and its literal; null: it is reset. */
type Changed = readonly (readonly [name: string, literal: string | null])[];

/** The list of SET: `ttl_expire_after = '1 day', ttl_pause = true`. */
function given(list: string): Changed {
  return [...list.matchAll(/(\w+) = ('(?:[^']|'')*'|\w+)/g)].map(
    ([, name = '', literal = '']) => [name, literal] as const,
  );
}

function reset(list: string): Changed {
  return list.split(', ').map(name => [name, null] as const);
}

function changeOf(table: string, changed: Changed): string {
  const oid = `${quoted(table)}::regclass`;
  if (changed.some(([name]) => name === 'ttl'))
    return `UPDATE pg_class SET reloptions = NULL WHERE oid = ${oid}`;
  const names = changed.map(([name]) => quoted(name));
  const literals = changed.map(([name, literal]) =>
    // An interval is stored in the server's own words, any other value as it was written.
    literal === null ? 'NULL' : name === 'ttl_expire_after' ? literal : quoted(literal),
  );
  return `SELECT shapes.set_ttl(${oid}, ARRAY[${names.join(', ')}], ARRAY[${literals.join(', ')}]::text[])`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
