// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLiveState } from '../../../renderer/api/live-store.ts';
import { useKeptChanges } from '../../../renderer/api/use-kept-changes.ts';
import { EMBEDDED_CAPABILITIES } from '../../../shared/contract/capabilities.ts';
import type { Environment } from '../../../shared/contract/connections.ts';

/** happy-dom has no IndexedDB, as a browser that refuses storage; `test/e2e/documents-reload.test.ts` has a real one. */

function openStore(environment: Environment): void {
  setLiveState({
    at: 'home',
    store: {
      file: `/data/${environment}`,
      name: environment,
      version: '',
      bytes: 0,
      revision: 0,
      now: 0,
      user: 'ci',
      permission: 'configure',
      role: 'leader',
      leader: null,
      connection: 'home',
      readOnly: false,
      namesPaths: true,
      diskFull: null,
      syncFailed: null,
      capabilities: EMBEDDED_CAPABILITIES,
      remote: null,
    },
    connections: [
      {
        id: 'home',
        name: environment,
        colour: 1,
        environment,
        readOnly: false,
        target: { kind: 'file', file: `/data/${environment}` },
        state: { is: 'open' },
      },
    ],
  });
}

/** A form whose input is pending until it is saved. */
function openForm(onNotKept: (error: unknown) => void = () => {}) {
  const { rerender, unmount } = renderHook(
    ({ text }: { text: string | null }) => {
      useKeptChanges<{ text: string }>({
        part: 'form',
        record: text === null ? null : { text },
        isUnsaved: text !== null,
        merge: () => null,
        restore: async () => () => {},
        onNotKept,
      });
    },
    { initialProps: { text: null } as { text: string | null } },
  );
  return { type: (text: string) => rerender({ text }), save: () => rerender({ text: null }), unmount };
}

/** Whether the browser would request a confirmation before the page is left. */
function isLeavingAsked(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  vi.stubGlobal('reportError', () => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('pending changes', () => {
  it('require confirmation of their loss in production, also from another page, until they are saved', () => {
    openStore('production');
    const form = openForm();
    expect(isLeavingAsked()).toBe(false);
    form.type('x');
    expect(isLeavingAsked()).toBe(true);
    form.unmount();
    expect(isLeavingAsked()).toBe(true);
    const again = openForm();
    again.type('x');
    again.save();
    expect(isLeavingAsked()).toBe(false);
  });

  it('that cannot be stored are reported once, and require confirmation of their loss', async () => {
    openStore('development');
    const failures: unknown[] = [];
    const form = openForm(error => failures.push(error));
    form.type('x');
    await waitFor(() => expect(failures).toEqual([expect.any(Error)]));
    form.type('xy');
    expect(isLeavingAsked()).toBe(true);
    form.save();
    expect(isLeavingAsked()).toBe(false);
    expect(failures).toHaveLength(1);
  });
});
