import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Kbd } from '../../../components/controls/Kbd.tsx';
import { openTab } from '../../../components/navigation/tabs.ts';
import type { Command } from './command.ts';
import { PaletteOption } from './PaletteOption.tsx';
import classes from './palette.module.css';
import { listed, rankCommands } from './rank-commands.ts';
import { recentCommands, rememberCommand } from './recent-commands.ts';

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  /** Built while the palette is open: the list is long. */
  useCommands: () => readonly Command[];
  onShortcuts: () => void;
}

/** Command palette: a combobox that filters pages and actions. The focus stays in the text field. */
export function Palette({ opened, onClose, ...search }: PaletteProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      // The opener restores the focus, because a command may open a dialog that takes it first.
      returnFocus={false}
      size="min(640px, 90vw)"
      radius="lg"
      yOffset={92}
      classNames={{ content: classes.palette ?? '' }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
      <Modal.Content aria-label={t`Command palette`}>
        {opened && <Search onClose={onClose} {...search} />}
      </Modal.Content>
    </Modal.Root>
  );
}

const PAGE = 8;

const GROUP_NAMES: Readonly<Record<Command['group'], string>> = {
  'This page': t`This page`,
  Actions: t`Actions`,
  'Go to': t`Go to`,
};

function Search({ onClose, useCommands, onShortcuts }: Omit<PaletteProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // In a layout effect, so that text typed right after the shortcut goes into the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const [recent] = useState(recentCommands);
  const found = listed(rankCommands(useCommands(), typed, recent), typed);
  const last = Math.max(0, found.length - 1);
  const at = Math.min(chosen, last);

  function run(command: Command | undefined, inNewTab = false): void {
    if (command === undefined || command.disabled) return;
    onClose();
    rememberCommand(command.id);
    if (inNewTab) openTab();
    command.run();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') run(found[at], event.ctrlKey || event.metaKey);
    else if (event.key === 'ArrowDown') setChosen(at === last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') setChosen(at === 0 ? last : at - 1);
    else if (event.key === 'PageDown') setChosen(Math.min(last, at + PAGE));
    else if (event.key === 'PageUp') setChosen(Math.max(0, at - PAGE));
    else if (event.key === '?' && typed === '') onShortcuts();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={classes.field}>
        <Icon name="search" className="c-accent" />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-label={t`Search or run a command`}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder={t`A collection or an action`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={t`Commands`} className="list">
        {found.map((command, index) => [
          command.group !== found[index - 1]?.group && (
            <div key={command.group} className={classes.group} role="presentation">
              {GROUP_NAMES[command.group]}
            </div>
          ),
          <PaletteOption
            key={command.id}
            id={`${id}-${index}`}
            command={command}
            typed={typed}
            chosen={index === at}
            onPoint={() => setChosen(index)}
            onRun={() => run(command)}
          />,
        ])}
      </div>
      {found.length === 0 && (
        <p className="none t-3">
          <Trans>No match for “{typed}”.</Trans>
        </p>
      )}
      <div className={classes.footer}>
        <span>
          <Trans>
            <Kbd>↑↓</Kbd> choose
          </Trans>
        </span>
        <span>
          <Trans>
            <Kbd>↵</Kbd> run
          </Trans>
        </span>
        <span>
          <Trans>
            <Kbd>Ctrl ↵</Kbd> in a new tab
          </Trans>
        </span>
        <span>
          <Trans>
            <Kbd>Esc</Kbd> close
          </Trans>
        </span>
        <span className="spacer" />
        <button type="button" className="link t-11" onClick={onShortcuts}>
          <Trans>
            <Kbd>?</Kbd> all shortcuts
          </Trans>
        </button>
      </div>
    </>
  );
}
