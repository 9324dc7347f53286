/** One story of the bench, with or without a CPU profile of the engine's thread. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOptions } from '../../electron/start/runtime.mjs';
import { type CpuProfile, engineProfile, hottest } from './cpu-profile.ts';
import { STORIES } from './stories.ts';

const HELP = `npm run bench:story -- STORY [OPTIONS]
npm run profile -- STORY [OPTIONS]

  --documents N    documents of the store (default: 100,000)
  --seconds N      seconds of a steady load, where the story has one (default: 10)
  --retention N    seconds for which what expired is restorable (default: 0)
  --seed N         seed of everything random (default: 1)
  --out FILE       npm run profile: the profile's file (default: profiles/STORY.cpuprofile)

Stories: ${Object.keys(STORIES).join(', ')}
`;

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** Interval between two samples, µs. */
const SAMPLE_EVERY = 500;

/** Runs the story in a process of its own, its figures on standard output. Returns the exit code. */
async function runStory(nodeFlags: readonly string[], story: string, options: object): Promise<number> {
  const child = spawn(
    process.execPath,
    [...nodeOptions(), ...nodeFlags, CHILD, story, JSON.stringify(options)],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const [code] = await once(child, 'exit');
  console.log();
  return code ?? 1;
}

async function profileStory(story: string, options: object, file: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-profile-'));
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval', String(SAMPLE_EVERY)];
    const code = await runStory(flags, story, options);
    const profiles = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
    const parsed: CpuProfile[] = profiles.map(text => JSON.parse(text));
    const found = engineProfile(parsed);
    if (found === undefined) {
      console.error('The story wrote no CPU profile.');
      return 1;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(found));
    for (const { name, place, percent } of hottest(found, 15))
      console.log(`${percent.toFixed(1).padStart(5)} %  ${name}  ${place}`);
    console.log(`\n${file}: open it in the Performance panel of Chromium's DevTools, or in VS Code.`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      documents: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '10' },
      retention: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      profile: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [story = values.profile ? 'ours-foreground' : ''] = positionals;
  if (values.help || STORIES[story] === undefined) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  const options = {
    documents: Number(values.documents),
    seconds: Number(values.seconds),
    retention: Number(values.retention),
    seed: Number(values.seed),
  };
  if (!values.profile) return runStory([], story, options);
  return profileStory(story, options, values.out ?? join('profiles', `${story}.cpuprofile`));
}

process.exitCode = await main();
