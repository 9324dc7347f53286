import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import { sandglassHere, startSandglass } from '../../support/cli.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let folder: string;
let store: string;
let host: ServedHost;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandglass-watch-'));
  store = join(folder, 'test.sandglass');
  host = await startServedHost({ folder });
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "others"}');
});
afterEach(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

const put = (collection: string, id: string) =>
  fetchFrom(host, 'PUT', `/api/collections/${collection}/documents/${id}`, '{}');

function watching(...words: string[]) {
  const running = startSandglass(['watch', ...words, '--store', store]);
  onTestFinished(() => void running.process.kill('SIGKILL'));
  return running;
}

type Line = ChangeEvent & { id: string };
const eventsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Line);
const idsOf = (text: string) =>
  eventsOf(text).flatMap(event => ('_id' in event && event.kind === 'insert' ? [event._id] : []));

describe('sandglass watch', () => {
  it('prints one event per line from a revision on, markers with JSON only, and ends at Ctrl-C with 0 [V2, V3]', async () => {
    await put('things', 'before');
    const asJson = watching('--from', '1', '--json');
    await asJson.prints('before');
    const forPeople = watching('--from', '1', '--collection', 'things');
    await forPeople.prints('insert  things  before');
    await put('others', 'unseen');
    await put('things', 'after');
    await asJson.prints('"after"');
    await forPeople.prints('insert  things  after');
    await asJson.prints(/"after".*\n.*"end"/);
    asJson.process.kill('SIGINT');
    forPeople.process.kill('SIGINT');
    const [json, people] = await Promise.all([asJson.ended, forPeople.ended]);
    expect([json.code, people.code]).toEqual([0, 0]);
    expect(idsOf(json.stdout)).toEqual(['before', 'unseen', 'after']);
    const revisions = eventsOf(json.stdout).map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(people.stdout).not.toContain('unseen');
    expect(people.stdout).toMatch(/^[0-9:]{8} {2}\d+\.\d+ {2}insert {2}things {2}after$/m);
  });

  it('continues after the last event when the host was restarted: none missed, none twice [V3]', async () => {
    const running = watching('--json');
    // Events before the watch begins are not printed.
    while (!running.output().includes('"first"')) {
      await put('things', 'first');
      await put('things', `warm ${running.output().length}`);
    }
    await put('things', 'one');
    await running.prints('"one"');
    await host.stop('SIGKILL');
    await running.prints('reconnecting');
    host = await startServedHost({ folder });
    await put('things', 'two');
    await running.prints('"two"');
    await put('things', 'three');
    await running.prints('"three"');
    running.process.kill('SIGINT');
    const { stdout } = await running.ended;
    const ids = eventsOf(stdout).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(stdout).filter(id => ['one', 'two', 'three'].includes(id))).toEqual(['one', 'two', 'three']);
  });

  it('prints the cause of an expiry [V4]', async () => {
    const running = watching('--from', '1');
    await running.prints('definition');
    await put('things', 'short');
    await fetchFrom(host, 'PUT', '/api/collections/things/documents/short/expiration', '{"after": 0.2}');
    await running.prints(/expire {2}things {2}short {2}delete by explicit, .+ late/);
  });

  it('ends after --limit events', async () => {
    await fetchFrom(host, 'POST', '/api/collections', '{"name": "few"}');
    await put('few', 'one');
    await put('few', 'two');
    const words = ['watch', '--from', '1', '--collection', 'few', '--json', '--store', store];
    const { code, stdout } = await sandglassHere([...words, '--limit', '3']);
    expect([code, eventsOf(stdout).map(({ kind }) => kind)]).toEqual([0, ['definition', 'end', 'insert']]);
    expect(await sandglassHere([...words, '--limit', '0'])).toMatchObject({ code: 2 });
  });

  it('refuses an invalid position and an unknown collection', async () => {
    expect(await sandglassHere(['watch', '--from', 'yesterday', '--store', store])).toMatchObject({
      code: 2,
    });
    expect(await sandglassHere(['watch', '--collection', 'nowhere', '--store', store])).toMatchObject({
      code: 3,
    });
  });
});
