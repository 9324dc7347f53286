import { describe, expect, it } from 'vitest';
import { MINUTE, openTestEngine } from '../../../support/engine.ts';

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `{"_id":"d${from + i}"}\n`).join('');

describe('an import', () => {
  it('is durable up to committedLines at each answer, wherever the text is cut', async () => {
    const { client } = openTestEngine();
    const { id } = await client.imports.start({ collection: 'a' });
    const text = lines(0, 10);
    const half = text.length / 2 + 3;
    expect(await client.imports.append({ job: id, text: text.slice(0, half) })).toMatchObject({
      committedLines: 5,
    });
    expect((await client.collections.get({ collection: 'a' })).documents).toBe(5);
    await client.imports.append({ job: id, text: text.slice(half) });
    expect(await client.imports.finish({ job: id })).toMatchObject({
      state: 'done',
      committedLines: 10,
      inserted: 10,
    });
  });

  it('whose sender disconnects ends by itself, and keeps the received lines', async () => {
    const { client, advance } = openTestEngine();
    const { id } = await client.imports.start({ collection: 'a' });
    await advance(4 * MINUTE);
    await client.imports.append({ job: id, text: lines(0, 3) });
    await advance(4 * MINUTE);
    expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'running' });
    await advance(2 * MINUTE);
    expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'failed', committedLines: 3 });
    await expect(client.imports.append({ job: id, text: lines(3, 1) })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect((await client.collections.get({ collection: 'a' })).documents).toBe(3);
  });

  it('whose sender’s connection closes stops at its last line at once, and can be continued after it', async () => {
    const { client, engine, settle } = openTestEngine();
    const gone = new AbortController();
    const request = {
      collection: 'a',
      create: true,
      format: 'ndjson',
      mode: 'insert',
      subject: 'x.ndjson',
      deadlines: 'none',
    } as const;
    const { id } = await engine.imports.start(request, 'ada', gone.signal);
    await client.imports.append({ job: id, text: `${lines(0, 3)}{"_id":` });
    gone.abort();
    await settle();
    const stopped = await client.jobs.get({ job: id });
    expect(stopped).toMatchObject({ state: 'failed', committedLines: 3 });
    expect(stopped.error).toContain('Stopped after line 3');

    // Without an _id, a line that is imported twice would be a second document.
    const again = await client.imports.start({ collection: 'a', mode: 'insert', afterLine: 3 });
    await client.imports.append({ job: again.id, text: lines(0, 3).replaceAll(/"_id":"d\d"/g, '"n":1') });
    await client.imports.append({ job: again.id, text: `not json\n${lines(5, 2)}` });
    expect(await client.imports.finish({ job: again.id })).toMatchObject({
      state: 'done',
      inserted: 2,
      rejectedCount: 1,
      committedLines: 6,
    });
    expect((await client.collections.get({ collection: 'a' })).documents).toBe(5);
  });

  it('is refused with BUSY beside sixteen others, without creating its collection, until one ends', async () => {
    const { client } = openTestEngine();
    const open = await Promise.all(
      Array.from({ length: 16 }, () => client.imports.start({ collection: 'a' })),
    );
    await expect(client.imports.start({ collection: 'b' })).rejects.toMatchObject({
      code: 'BUSY',
      status: 503,
      data: { running: 16 },
    });
    expect((await client.collections.list()).map(({ name }) => name)).toEqual(['a']);
    await client.imports.finish({ job: open[0]?.id ?? '' });
    expect(await client.imports.start({ collection: 'b' })).toMatchObject({ state: 'running' });
  });

  it('that is cancelled keeps the received lines, and accepts no more', async () => {
    const { client } = openTestEngine();
    const { id } = await client.imports.start({ collection: 'a' });
    await client.imports.append({ job: id, text: lines(0, 3) });
    await client.jobs.cancel({ job: id });
    await expect(client.imports.append({ job: id, text: lines(3, 1) })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'cancelled', committedLines: 3 });
  });

  it.each([
    ['with a surplus bracket', '{"_id":"g1"}}\n{"_id":"g2"}\n{"_id":"g3"}', 3, 1],
    ['whose array was cut short', '[{"_id":"g1"},\n{"_id":"g2"}', 2, 2],
    ['whose last document was cut short', '[{"_id":"g1"},\n{"_id":"g2', 1, 2],
  ])('of JSON %s states that in its report', async (_, text, inserted, line) => {
    const { client } = openTestEngine();
    const { id } = await client.imports.start({ collection: 'a', format: 'json' });
    await client.imports.append({ job: id, text });
    expect(await client.imports.finish({ job: id })).toMatchObject({
      state: 'done',
      inserted,
      rejectedCount: 1,
      rejected: [{ line, code: 'INVALID_DOCUMENT' }],
    });
  });
});
