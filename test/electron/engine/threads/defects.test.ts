import { describe, expect, it } from 'vitest';
import { defect } from '../../../../electron/engine/platform/defect.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { deserializeError, serializeError } from '../../../../electron/engine/protocol/thread-messages.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { openTestEngine } from '../../../support/engine.ts';

const INSIDE = /\/|\.ts|\bat |node_modules|Error:/;

describe('a defect', () => {
  it('is passed between threads as a defect with its stack, and an expected error unchanged', () => {
    const thrown = new TypeError('x is no function');
    const back = deserializeError(structuredClone(serializeError(thrown)));
    expect(back).not.toBeInstanceOf(SandglassError);
    expect(back).toMatchObject({ message: 'x is no function', stack: thrown.stack });
    const typed = deserializeError(
      structuredClone(serializeError(new SandglassError('INVALID_FILE', 'No.', { file: 'a' }))),
    );
    expect(typed).toBeInstanceOf(SandglassError);
    expect(typed).toMatchObject({ code: 'INVALID_FILE', message: 'No.', data: { file: 'a' } });
  });

  it('is reported by an id only; the log has the stack under that id', () => {
    const lines: string[] = [];
    const log = createLogger(
      'error',
      () => 0,
      line => lines.push(line),
    );
    const reported = defect(log, 'documents.get', new Error('in /home/ada/secret.sandglass'));
    expect(reported.message).not.toMatch(INSIDE);
    const { errorId } = reported.data;
    expect(errorId).toMatch(/^[0-9a-f]{12}$/);
    expect(reported.message).toContain(String(errorId));
    expect(lines.join('')).toContain(`errorId=${errorId}`);
    expect(lines.join('')).toMatch(/secret\.sandglass[\s\S]*\n {4}at /);
  });

  it('[P3] of a read, an answer or a job gives its caller the id and no internal detail', async () => {
    const { client, engine, complaints } = openTestEngine();
    await client.collections.create({ name: 'c' });
    Object.assign(engine.backend.reads, {
      documents: () => Promise.reject(new Error('SELECT failed in /srv/app/electron/reads.ts')),
    });
    Object.assign(engine.backend, {
      backup: () => Promise.reject(new Error('ENOENT /srv/private/x.partial')),
    });
    const refusal = await client.documents.list({ collection: 'c' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', data: { errorId: expect.any(String) } });
    const { message } = refusal as Error;
    expect(message).not.toMatch(INSIDE);
    const { id } = await client.store.backup({ file: '/tmp/never.sandglass' });
    await expect.poll(async () => (await client.jobs.get({ job: id })).state).toBe('failed');
    const { error } = await client.jobs.get({ job: id });
    expect(error).not.toMatch(INSIDE);
    const ids = [message, String(error)].map(text => /[0-9a-f]{12}/.exec(text)?.[0] ?? 'no id');
    for (const one of ids) expect(complaints.join('')).toContain(`errorId=${one}`);
    expect(complaints.join('')).toContain('/srv/private/x.partial');
  });
});
