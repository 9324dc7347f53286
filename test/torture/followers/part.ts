import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import { Random } from '../../support/random.ts';
import { disagreements } from '../../support/recount.ts';
import { NEEDS_POSIX } from '../../support/runs-here.ts';
import type { Part, Report, Run } from '../part.ts';
import { HostProcess } from './host-process.ts';
import { Account, runClient } from './load.ts';
import { contentsOf, readAll, readPage, stateOf } from './read-documents.ts';

const SYNC_TIMEOUT_MS = 2_000;
/** Error of an answer's age: the machine may stall between a follower's answer and this process, ms. */
const SLACK_MS = 1_000;
const KILLS_OF_A_HISTORY = 30;
const CLIENTS = 3;
/** More than two pages of a copy have. */
const FIRST_DOCUMENTS = 1_300;
const CURRENT_WITHIN_MS = 60_000;
const FAILURES_SHOWN = 10;

/** A leader and two followers, each a process of its own that is killed and started again while clients write and read. */
export const FOLLOWERS: Part = {
  name: 'followers',
  title: 'kills of a leader and its followers',
  share: 2,
  missing: NEEDS_POSIX,
  // In memory: a killed process loses nothing that it wrote, so no commit needs to wait for a disk.
  run: run => withTemporaryFolder(folder => followers(run, folder)),
};

async function followers(run: Run, folder: string): Promise<Report> {
  const done: Record<string, number> = { histories: 0 };
  const failures: string[] = [];
  do {
    const nth = done.histories ?? 0;
    const history = new History(join(folder, `history-${nth}`), new Random(run.random.between(0, 2 ** 31)));
    failures.push(...(await history.run(run)).map(problem => `seed ${run.seed}, history ${nth}: ${problem}`));
    for (const [what, count] of Object.entries(history.met)) done[what] = (done[what] ?? 0) + count;
    done.histories = nth + 1;
    run.say(`followers: ${nth + 1} histories, ${failures.length} failures`);
  } while (!run.isQuick && performance.now() < run.endsAt && failures.length === 0);
  return { done, failures: failures.slice(0, FAILURES_SHOWN) };
}

class History {
  readonly met: Record<string, number> = {};
  readonly #folder: string;
  readonly #random: Random;
  readonly #problems: string[] = [];
  readonly #account = new Account();

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
  }

  async run({ isQuick, endsAt }: Run): Promise<string[]> {
    const leader = await this.#host('leader', []);
    const tokenFile = leader.tokenFile;
    writeFileSync(tokenFile, 'token-of-the-leader-that-its-followers-know\n', { mode: 0o600 });
    const flags = ['--follow', leader.origin, '--follow-token-file', tokenFile];
    flags.push('--sync-timeout', String(SYNC_TIMEOUT_MS / 1_000));
    const names = isQuick ? ['first'] : ['first', 'second'];
    const mirrors = await Promise.all(names.map(name => this.#host(name, flags)));
    const hosts = [leader, ...mirrors];
    let isOver = false;
    try {
      leader.start();
      await leader.ready();
      await this.#prepare(leader);
      for (const mirror of mirrors) mirror.start();
      // A sample is over before a follower on a busy machine would answer.
      if (isQuick) await areCurrent(leader, mirrors);
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        runClient(leader, this.#account, {
          name: `client${i}`,
          random: new Random(this.#random.between(0, 2 ** 31)),
          isOver: () => isOver,
        }),
      );
      const readers = mirrors.map(mirror => this.#read(mirror, () => isOver));
      const killing = this.#kill(hosts, isQuick, endsAt).finally(() => {
        isOver = true;
      });
      await Promise.all([...clients, ...readers, killing]);
      await this.#compare(leader, mirrors);
    } catch (error) {
      this.#problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      isOver = true;
      for (const host of hosts) await host.end('SIGTERM');
    }
    this.#problems.push(...hosts.flatMap(({ failures }) => failures));
    if (this.#problems.length === 0)
      for (const { name, store } of hosts)
        this.#problems.push(...disagreements(store).map(line => `the store of the ${name}: ${line}`));
    rmSync(this.#folder, { recursive: true, force: true });
    return this.#problems;
  }

  async #host(name: string, flags: readonly string[]): Promise<HostProcess> {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return new HostProcess({ name, folder, port: await freePort(), flags });
  }

  async #prepare(leader: HostProcess): Promise<void> {
    const body = Array.from({ length: FIRST_DOCUMENTS }, (_, i) => ({ _id: `first-${i}`, v: i, exp: null }));
    const calls: [string, unknown][] = [
      ['/api/collections', { name: 'c' }],
      [
        '/api/collections/c/ttl-indexes',
        { name: 'exp', source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 } },
      ],
      ['/api/collections/c/documents', body],
    ];
    for (const [path, sent] of calls) {
      const answer = await leader.call('POST', path, sent);
      if (answer === null || answer.status >= 300)
        throw new Error(`${path}: ${JSON.stringify(answer?.body).slice(0, 400)}`);
    }
    for (const { _id, v } of body) this.#account.answered(_id, { v, exp: null });
  }

  /** Kills one of the processes after the other at random moments, also while it starts, and starts it again. */
  async #kill(hosts: readonly HostProcess[], isQuick: boolean, endsAt: number): Promise<void> {
    const random = this.#random;
    const kills = isQuick ? 2 : KILLS_OF_A_HISTORY;
    for (let kill = 0; kill < kills && performance.now() < endsAt; kill++) {
      // A process that starts takes about half a second until it answers.
      await wait(random.pick([10, 300, 1_000, 1_500]) + random.between(0, 300));
      const chosen = isQuick ? hosts[kill % hosts.length] : random.pick(hosts);
      if (chosen === undefined || !(await chosen.end('SIGKILL'))) continue;
      this.#count(chosen.name === 'leader' ? 'kills of the leader' : 'kills of a follower');
      if (chosen.name !== 'leader' && !isQuick && random.chance(0.25)) {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${chosen.store}${suffix}`, { force: true });
        this.#count('followers that lost their disk');
      }
      await wait(random.pick([0, 0, 100, SYNC_TIMEOUT_MS + 300]));
      chosen.start();
    }
  }

  /** Reads a follower again and again: nothing that it shows may be past its deadline by its leader’s time. */
  async #read(mirror: HostProcess, isOver: () => boolean): Promise<void> {
    let after: string | null = null;
    while (!isOver()) {
      const calledAt = Date.now();
      const read = await readPage(mirror, after, false);
      if (read === null) this.#count('reads without an answer');
      else if (typeof read === 'string') this.#count(`reads refused with ${read}`);
      else {
        this.#count('reads of followers');
        const late = calledAt - read.now - SYNC_TIMEOUT_MS - SLACK_MS;
        if (late > 0) this.#problems.push(`${mirror.name} answered as of ${late} ms before its sync timeout`);
        for (const { _id, document } of read.documents)
          if (document.exp !== null && document.exp <= read.now)
            this.#problems.push(
              `${mirror.name} shows ${_id} ${read.now - document.exp} ms past its deadline`,
            );
      }
      after = read === null || typeof read === 'string' ? null : read.next;
      await wait(this.#random.between(5, 60));
      if (this.#problems.length > FAILURES_SHOWN) return;
    }
  }

  /** Starts what does not run, waits until the followers have the leader’s last revision, and compares all documents. */
  async #compare(leader: HostProcess, mirrors: readonly HostProcess[]): Promise<void> {
    for (const host of [leader, ...mirrors]) if (!host.isRunning) host.start();
    // Longer than the near deadlines of the load.
    await wait(2_300);
    await areCurrent(leader, mirrors);
    const from = Date.now() - SLACK_MS;
    const ofLeader = await readAll(leader);
    const read = { from, to: Date.now() + SLACK_MS };
    this.#problems.push(...this.#account.problems(contentsOf(ofLeader), read));
    for (const mirror of mirrors) {
      const found = await readAll(mirror);
      for (const id of new Set([...ofLeader.keys(), ...found.keys()])) {
        const [is, should] = [found.get(id), ofLeader.get(id)].map(one => JSON.stringify(one));
        if (is !== should) this.#problems.push(`${mirror.name} has ${id} as ${is} instead of ${should}`);
      }
      this.#count('documents of followers compared', found.size);
    }
    this.#count('documents acknowledged', this.#account.acknowledged);
    this.#count('cliffs of 1,200 documents acknowledged', this.#account.cliffs);
    this.#count('documents whose write was not answered', this.#account.unanswered);
  }

  #count(what: string, by = 1): void {
    this.met[what] = (this.met[what] ?? 0) + by;
  }
}

/** Resolves when the followers have the leader’s last revision. Rejects after a minute. */
async function areCurrent(leader: HostProcess, mirrors: readonly HostProcess[]): Promise<void> {
  const until = performance.now() + CURRENT_WITHIN_MS;
  for (;;) {
    const states = await Promise.all([leader, ...mirrors].map(stateOf));
    const revisions = new Set(states.map(state => state?.revision));
    if (revisions.size === 1 && states.every(state => state?.isCurrent === true)) return;
    if (performance.now() > until) throw new Error(`they do not agree: ${JSON.stringify(states)}`);
    await wait(50);
  }
}
