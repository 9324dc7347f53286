import type { Permission } from '../../../../shared/contract/base.ts';
import type { TokenRecord } from '../../../../shared/contract/tokens.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { NewToken, TokenStore } from '../backend.ts';
import type { Statement } from './database.ts';
import type { Writer } from './writer.ts';

/** A token in use is noted at most so often: who asks a thousand times a second must not cost as many writes. */
const NOTE_USE_EVERY_MS = 60_000;

type Row = TokenRecord & { sha256: string };

/** The `tokens` table [P1]. What it holds lets nobody in: a token cannot be had from its hash. */
export class EmbeddedTokens implements TokenStore {
  readonly #writer: Writer;
  readonly #listeners = new Set<(sha256: string) => void>();
  readonly #sql: {
    all: Statement<[], Row>;
    byName: Statement<[string], Row>;
    byHash: Statement<[string], Row>;
    insert: Statement<[string, string, Permission, number, string]>;
    used: Statement<[number, string]>;
    delete: Statement<[string]>;
  };

  constructor(writer: Writer) {
    const { db } = writer;
    this.#writer = writer;
    const columns =
      'sha256, name, permission, created_at AS createdAt, created_by AS createdBy, last_used_at AS lastUsedAt';
    this.#sql = {
      all: db.prepare<[], Row>(`SELECT ${columns} FROM tokens ORDER BY name`),
      byName: db.prepare<[string], Row>(`SELECT ${columns} FROM tokens WHERE name = ?`),
      byHash: db.prepare<[string], Row>(`SELECT ${columns} FROM tokens WHERE sha256 = ?`),
      insert: db.prepare<[string, string, Permission, number, string]>(
        'INSERT INTO tokens (name, sha256, permission, created_at, created_by) VALUES (?, ?, ?, ?, ?)',
      ),
      used: db.prepare<[number, string]>('UPDATE tokens SET last_used_at = ? WHERE sha256 = ?'),
      delete: db.prepare<[string]>('DELETE FROM tokens WHERE name = ?'),
    };
  }

  list(): TokenRecord[] {
    return this.#sql.all.all().map(toRecord);
  }

  get(name: string): TokenRecord {
    return toRecord(this.#find(name));
  }

  create({ name, sha256, permission, by }: NewToken): TokenRecord {
    if (this.#sql.byName.get(name) !== undefined) {
      throw new SandglassError(
        'TOKEN_EXISTS',
        `There is a token named ${name}. Revoke it first, or choose another name.`,
        { name },
      );
    }
    this.#writer.refuseWhileDiskFull();
    this.#writer.attempt(() => this.#sql.insert.run(name, sha256, permission, this.#writer.clock.now(), by));
    return this.get(name);
  }

  revoke(name: string): void {
    const { sha256 } = this.#find(name);
    this.#writer.attempt(() => this.#sql.delete.run(name));
    for (const listener of this.#listeners) listener(sha256);
  }

  whose(sha256: string): { name: string; permission: Permission } | null {
    const found = this.#sql.byHash.get(sha256);
    if (found === undefined) return null;
    const { name, permission, lastUsedAt } = found;
    const now = this.#writer.clock.now();
    if (this.#writer.db.readonly) return { name, permission };
    if (lastUsedAt === null || Math.abs(now - lastUsedAt) >= NOTE_USE_EVERY_MS)
      this.#writer.note(() => this.#sql.used.run(now, sha256));
    return { name, permission };
  }

  onRevoke(listener: (sha256: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #find(name: string): Row {
    const found = this.#sql.byName.get(name);
    if (found === undefined)
      throw new SandglassError('TOKEN_NOT_FOUND', `There is no token named ${name}.`, { name });
    return found;
  }
}

function toRecord({ sha256: _, ...record }: Row): TokenRecord {
  return record;
}
