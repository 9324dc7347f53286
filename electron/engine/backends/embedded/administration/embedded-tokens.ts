import type { Permission } from '../../../../../shared/contract/permissions.ts';
import type { TokenRecord } from '../../../../../shared/contract/tokens.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { NewToken, TokenStore } from '../../backend.ts';
import { deleteEarlierTokens, hasEarlierTokens, readEarlierTokens } from '../tables/earlier-tokens.ts';
import type { Writer } from '../write/writer.ts';
import { readTokenFile, type StoredToken, tokenFile, writeTokenFile } from './token-file.ts';

/**
 * Minimum interval between two records of a token's use: a thousand calls a second must not cause a thousand writes.
 */
const NOTE_USE_EVERY_MS = 60_000;
/** Limits how much disk space a token with the permission `configure` can use by creating tokens. */
const MOST_TOKENS = 1_000;

/** The tokens of a store [P1], in memory and in the file beside it. */
export class EmbeddedTokens implements TokenStore {
  readonly #file: string;
  readonly #writer: Writer;
  readonly #byName: Map<string, StoredToken>;
  readonly #byHash: Map<string, StoredToken>;
  readonly #listeners = new Set<(sha256: string) => void>();
  #cancelTimer = () => {};

  /** Throws STORE_UNREADABLE, DISK_FULL. */
  constructor(storeFile: string, writer: Writer) {
    this.#file = tokenFile(storeFile);
    this.#writer = writer;
    const { db } = writer;
    const tokens = readTokenFile(this.#file) ?? this.#ofEarlierVersion();
    if (!db.readonly && hasEarlierTokens(db)) writer.guard.tryRecord(() => deleteEarlierTokens(db));
    this.#byName = new Map(tokens.map(token => [token.name, token]));
    this.#byHash = new Map(tokens.map(token => [token.sha256, token]));
    this.#awaitNextEnd();
  }

  list(): TokenRecord[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(toRecord);
  }

  get(name: string): TokenRecord {
    return toRecord(this.#find(name));
  }

  create({ name, sha256, permission, by, expiresAt }: NewToken): TokenRecord {
    this.#checkNew(name, expiresAt);
    this.#writer.guard.refuseWhileDiskFull();
    const token: StoredToken = {
      name,
      sha256,
      permission,
      createdAt: this.#writer.clock.now(),
      createdBy: by,
      lastUsedAt: null,
      expiresAt,
    };
    this.#writer.guard.attempt(() => writeTokenFile(this.#file, [...this.#byName.values(), token], true));
    this.#byName.set(name, token);
    this.#byHash.set(sha256, token);
    this.#awaitNextEnd();
    return toRecord(token);
  }

  revoke(name: string): void {
    const { sha256 } = this.#find(name);
    const others = [...this.#byName.values()].filter(token => token.name !== name);
    this.#writer.guard.attempt(() => writeTokenFile(this.#file, others, true));
    this.#byName.delete(name);
    this.#byHash.delete(sha256);
    this.#ended(sha256);
  }

  ownerOf(sha256: string): { name: string; permission: Permission } | null {
    const now = this.#writer.clock.now();
    const found = this.#valid(sha256, now);
    if (found === null) return null;
    const { name, permission, lastUsedAt } = found;
    if (this.#writer.db.readonly) return { name, permission };
    if (lastUsedAt === null || Math.abs(now - lastUsedAt) >= NOTE_USE_EVERY_MS) {
      found.lastUsedAt = now;
      this.#writer.guard.tryRecord(() => writeTokenFile(this.#file, [...this.#byName.values()], false));
    }
    return { name, permission };
  }

  has(sha256: string): boolean {
    return this.#valid(sha256, this.#writer.clock.now()) !== null;
  }

  onRevoke(listener: (sha256: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#cancelTimer();
  }

  #valid(sha256: string, now: number): StoredToken | null {
    const found = this.#byHash.get(sha256);
    if (found === undefined || (found.expiresAt !== null && found.expiresAt <= now)) return null;
    return found;
  }

  #checkNew(name: string, expiresAt: number | null): void {
    if (this.#byName.has(name)) {
      throw new SandglassError(
        'TOKEN_EXISTS',
        `There is a token named ${name}. Revoke it first, or choose another name.`,
        { name },
      );
    }
    if (expiresAt !== null && expiresAt <= this.#writer.clock.now())
      throw new SandglassError('BAD_REQUEST', 'A token must expire in the future.', { expiresAt });
    if (this.#byName.size >= MOST_TOKENS)
      throw new SandglassError(
        'BAD_REQUEST',
        `A store has ${MOST_TOKENS} tokens at most. Revoke some first.`,
      );
  }

  /** Ends the streams of a token when it expires, without waiting for its next call. */
  #awaitNextEnd(): void {
    this.#cancelTimer();
    const now = this.#writer.clock.now();
    const ends = [...this.#byName.values()].flatMap(({ expiresAt }) =>
      expiresAt !== null && expiresAt > now ? [expiresAt] : [],
    );
    if (ends.length === 0) return;
    this.#cancelTimer = this.#writer.clock.setTimer(Math.min(...ends) - now, () => {
      const over = this.#writer.clock.now();
      for (const { sha256, expiresAt } of this.#byName.values())
        if (expiresAt !== null && expiresAt <= over) this.#ended(sha256);
      this.#awaitNextEnd();
    });
  }

  #ended(sha256: string): void {
    for (const listener of this.#listeners) listener(sha256);
  }

  /**
   * Reads the tokens that an earlier version kept in the store. Backups of that version contain them too; the tokens of
   * a restored backup are ignored.
   */
  #ofEarlierVersion(): StoredToken[] {
    const { db, meta } = this.#writer;
    if (meta.text('restoredFrom') !== null) return [];
    const tokens = readEarlierTokens(db).map(token => ({ ...token, expiresAt: null }));
    if (tokens.length > 0 && !db.readonly) writeTokenFile(this.#file, tokens, true);
    return tokens;
  }

  #find(name: string): StoredToken {
    const found = this.#byName.get(name);
    if (found === undefined)
      throw new SandglassError('TOKEN_NOT_FOUND', `There is no token named ${name}.`, { name });
    return found;
  }
}

function toRecord({ sha256: _, ...record }: StoredToken): TokenRecord {
  return record;
}
