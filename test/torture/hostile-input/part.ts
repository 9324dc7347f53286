import { dirname, join } from 'node:path';
import { z } from 'zod';
import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import type { Random } from '../../support/random.ts';
import type { Part, Report, Run } from '../part.ts';
import { sendFrames } from './frames.ts';
import { largeDocument } from './grammars/documents.ts';
import { documentRequest, type HostileRequest, linesRequest, restRequest } from './grammars/requests.ts';
import { problemOfAnswer } from './judge.ts';
import { feedFollower } from './leader-answers.ts';
import { rawRequest, sendRaw } from './raw-requests.ts';
import { feedReaders } from './readers.ts';
import { damageFiles } from './store-files.ts';
import { AT_ONCE, Victim } from './victim.ts';

/** Inputs of one round, by what they go through. */
const ROUND = {
  texts: 15_000,
  requests: 800,
  documents: 400,
  uploads: 40,
  lines: 200,
  raw: 100,
  checked: 30,
  frames: 800,
  answers: 200,
  files: 24,
};
const QUICK = {
  texts: 60,
  requests: 120,
  documents: 60,
  uploads: 1,
  lines: 50,
  raw: 15,
  checked: 6,
  frames: 80,
  answers: 40,
  files: 2,
};
/** Largest resident memory of the host: twice what the largest permitted document takes beside an idle host. */
const MOST_MIB = 900;
const MOST_FAILURES = 20;

/**
 * Grammars for everything that reads what a person, a program or another machine wrote. Each input is accepted or refused with an
 * error of the contract; the host goes on, and what was not named stays as it is.
 */
export const HOSTILE_INPUT: Part = {
  name: 'hostile-input',
  title: 'input that is made to break it',
  share: 2,
  // In memory: no input needs to wait for a disk.
  run: run => withTemporaryFolder(folder => runRounds(run, folder)),
};

class Tally {
  readonly #counts = new Map<string, { inputs: number; refused: number }>();

  add(grammar: string, refused: boolean): void {
    this.count(grammar, 1, refused ? 1 : 0);
  }

  count(grammar: string, inputs: number, refused: number): void {
    const before = this.#counts.get(grammar) ?? { inputs: 0, refused: 0 };
    this.#counts.set(grammar, { inputs: before.inputs + inputs, refused: before.refused + refused });
  }

  get inputs(): number {
    return [...this.#counts.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  }

  get done(): Record<string, string> {
    return Object.fromEntries(
      [...this.#counts].map(([grammar, { inputs, refused }]) => [grammar, `${inputs}, ${refused} refused`]),
    );
  }
}

async function runRounds(run: Run, folder: string): Promise<Report> {
  const tally = new Tally();
  const failures: string[] = [];
  const victim = await Victim.start(folder);
  let peakMiB: number | null = null;
  try {
    for (let round = 1; round === 1 || (!run.isQuick && performance.now() < run.endsAt); round++) {
      const found = await runRound(run, victim, tally, join(folder, `follower-${round}.sandglass`));
      failures.push(...found.map(failure => `seed ${run.seed}, round ${round}, ${failure}`));
      peakMiB = victim.peakMiB;
      if (peakMiB !== null && peakMiB > MOST_MIB) failures.push(`the host took ${peakMiB} MiB`);
      if (round % 5 === 0) run.say(`${tally.inputs} inputs, ${failures.length} failures, ${peakMiB} MiB`);
      if (failures.length > 0) break;
    }
  } finally {
    await victim.close();
  }
  return {
    done: { inputs: tally.inputs, ...tally.done, 'peak of the host, MiB': peakMiB ?? 'unknown' },
    failures: failures.slice(0, MOST_FAILURES),
  };
}

async function runRound(
  { random, isQuick }: Run,
  victim: Victim,
  tally: Tally,
  follower: string,
): Promise<string[]> {
  const sizes = isQuick ? QUICK : ROUND;
  const failures = feedReaders(random, sizes.texts, (grammar, refused) => tally.add(grammar, refused));
  const send = (grammar: string, make: (random: Random) => HostileRequest, count: number) =>
    sendAll(victim, count, () => make(random), tally, grammar);
  failures.push(...(await send('documents over REST', documentRequest, sizes.documents)));
  failures.push(...(await sendLines(victim, random, sizes, tally)));
  if (!isQuick) failures.push(...(await send('documents at the size limit', largeRequest, 2)));
  for (let left = sizes.requests; left > 0; left -= 100) {
    failures.push(...(await send('calls over REST', restRequest, Math.min(100, left))));
    await victim.prepare();
  }
  failures.push(...(await checkRefusals(victim, random, sizes.checked, tally)));
  failures.push(...(await sendRawRequests(victim, random, sizes.raw, tally)));
  await victim.prepare();
  failures.push(
    ...(await sendFrames(victim, random, sizes.frames, what =>
      tally.count('messages over /rpc', what === 'sent' ? 1 : 0, what === 'refused' ? 1 : 0),
    )),
    ...(await feedFollower(follower, random, sizes.answers, refused =>
      tally.add('answers of a leader', refused),
    )),
    ...(await damageFiles(dirname(follower), random, sizes.files, (damage, refused) =>
      tally.add(`store files: ${damage}`, refused),
    )),
    ...(await victim.problems()),
  );
  return failures;
}

function largeRequest(random: Random): HostileRequest {
  const headers = { 'content-type': 'application/json' };
  return {
    method: 'POST',
    path: '/api/collections/things/documents?mode=upsert',
    headers,
    body: largeDocument(random),
    hasToken: true,
  };
}

async function sendAll(
  victim: Victim,
  count: number,
  make: () => HostileRequest,
  tally: Tally,
  grammar: string,
): Promise<string[]> {
  const failures: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const request = make();
      try {
        const { status, type, text } = await victim.send(request);
        tally.add(grammar, status >= 400);
        const problem =
          !request.hasToken && status < 400
            ? `answered ${status} without a token`
            : problemOfAnswer(status, type, text);
        if (problem !== null) failures.push(`${shown(request)}: ${problem}`);
      } catch (error) {
        failures.push(`${shown(request)}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work));
  return failures;
}

async function sendRawRequests(
  victim: Victim,
  random: Random,
  count: number,
  tally: Tally,
): Promise<string[]> {
  const failures: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const bytes = rawRequest(random, victim);
      const problem = await sendRaw(victim, bytes);
      tally.add('requests that are not HTTP', true);
      if (problem !== null)
        failures.push(`${JSON.stringify(bytes.toString('latin1').slice(0, 400))}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

/**
 * Sends calls one by one: a refused one must not have made a revision. The reaper and jobs of accepted calls make some too, so only a
 * call that does it each time has failed.
 */
async function checkRefusals(victim: Victim, random: Random, count: number, tally: Tally): Promise<string[]> {
  const failures: string[] = [];
  for (let i = 0; i < count; i++) {
    const request = random.chance(0.5) ? documentRequest(random) : restRequest(random);
    let changed = 0;
    for (let times = 0; times < 3 && changed === times; times++) {
      const before = await victim.revision();
      const { status } = await victim.send(request);
      tally.add('calls one by one', status >= 400);
      if (status >= 400 && (await victim.revision()) !== before) changed += 1;
    }
    if (changed === 3) failures.push(`${shown(request)}: refused, and made a revision`);
  }
  return failures;
}

const report = z.object({
  rejected: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
  rejectedCount: z.number().optional(),
});

/** Sends files of lines, each of which is refused or accepted by itself. */
async function sendLines(
  victim: Victim,
  random: Random,
  { uploads, lines }: typeof ROUND,
  tally: Tally,
): Promise<string[]> {
  const failures: string[] = [];
  for (let i = 0; i < uploads; i++) {
    const request = linesRequest(random, lines);
    const { status, type, text } = await victim.send(request);
    const problem = problemOfAnswer(status, type, text);
    if (problem !== null) failures.push(`${shown(request)}: ${problem}`);
    const { data } = report.safeParse(JSON.parse(text));
    const refused = data?.rejectedCount ?? data?.rejected?.length ?? 0;
    tally.count('lines of files', lines, status >= 400 ? lines : refused);
    for (const { code, message } of data?.rejected ?? [])
      if (!/^(INVALID_|DOCUMENT_|BAD_REQUEST)/.test(code)) failures.push(`a line: ${code}: ${message}`);
  }
  return failures;
}

function shown({ method, path, headers, body }: HostileRequest): string {
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${body?.toString('latin1').slice(0, 400) ?? ''}`;
}
