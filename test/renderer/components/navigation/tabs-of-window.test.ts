// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** Loads the window again: its modules are new, its storage and its history entry stay. */
async function loadWindow() {
  vi.resetModules();
  const { followAddress, goTo } = await import('../../../../renderer/components/navigation/location.ts');
  const tabs = await import('../../../../renderer/components/navigation/tabs.ts');
  followAddress(() => {});
  tabs.startTabs();
  const { result } = renderHook(() => tabs.useTabs());
  const list = () => result.current.list;
  return {
    ...tabs,
    goTo,
    titles: () => list().map(({ title }) => title),
    active: () => list().find(({ id }) => id === result.current.active)?.href,
  };
}

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '#/overview');
});

describe('the tabs of a window', () => {
  it('have one place each: a link opens in the active one, and a return finds the former place', async () => {
    const window = await loadWindow();
    act(() => window.goTo('#/health'));
    act(() => window.openTab('#/settings'));
    expect(window.active()).toBe('#/settings');
    act(() => window.goTo('#/activity'));
    act(() => window.stepTab(1));
    expect([window.active(), location.hash]).toEqual(['#/health', '#/health']);
    act(() => window.stepTab(-1));
    expect([window.active(), location.hash]).toEqual(['#/activity', '#/activity']);
  });

  it('open in the background beside the active one, with a name until their page sets it', async () => {
    const window = await loadWindow();
    act(() => window.openTab('#/on/c2/collections/a%2Fb/documents', { inBackground: true }));
    act(() => window.nameTab('Store'));
    expect(window.titles()).toEqual(['Store', 'a/b']);
    expect(window.active()).toBe('#/overview');
  });

  it('close: the neighbour is shown at its own place, and the last one stays', async () => {
    const window = await loadWindow();
    act(() => window.openTab('#/settings'));
    act(() => window.closeTab());
    expect([window.active(), location.hash]).toEqual(['#/overview', '#/overview']);
    act(() => window.closeTab());
    expect(window.titles()).toHaveLength(1);
  });

  it('survive a reload; an unreadable record of them is ignored', async () => {
    const before = await loadWindow();
    act(() => before.openTab('#/settings'));
    const after = await loadWindow();
    expect([after.titles(), after.active()]).toEqual([before.titles(), '#/settings']);
    sessionStorage.setItem('sandglass.tabs', '{"list":[],"active":1}');
    history.replaceState(null, '', '#/health');
    const reset = await loadWindow();
    expect([reset.titles(), reset.active()]).toEqual([['Overview'], '#/health']);
  });
});
