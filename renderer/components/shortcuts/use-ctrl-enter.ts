import { useShortcuts } from './use-shortcuts.ts';

/** Registers Ctrl+Enter, on a Mac also Command+Enter, in text fields and dialogs too. */
export function useCtrlEnter(action: () => void, isOn: boolean): void {
  useShortcuts({ 'mod+enter': action, 'ctrl+enter': action }, { reach: 'everywhere', isOn });
}
