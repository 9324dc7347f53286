// Types of the peers' packages, as far as the stories use them. The packages are installed in this folder by `npm run bench`.

declare module '@seald-io/nedb' {
  export default class Nedb {
    constructor(options: { filename: string });
    loadDatabaseAsync(): Promise<void>;
    ensureIndexAsync(index: { fieldName: string; expireAfterSeconds: number }): Promise<void>;
    insertAsync(documents: readonly object[]): Promise<unknown>;
  }
}

declare module '@keyv/sqlite' {
  export default class KeyvSqlite {
    constructor(address: string);
  }
}

declare module 'keyv' {
  export default class Keyv {
    constructor(options: { store: unknown });
    setMany(entries: readonly { key: string; value: unknown; ttl: number }[]): Promise<unknown>;
    disconnect(): Promise<void>;
  }
}
