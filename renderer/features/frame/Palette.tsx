import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { Kbd } from '../../components/Kbd.tsx';
import { type Command, matchCommands } from './command.ts';

const AT_MOST = 12;
/** With nothing typed the places leave room for the actions. */
const PLACES_AT_MOST = 6;

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  commands: readonly Command[];
}

/** Type to find a collection or an action; arrows choose, Enter runs. Focus stays in the field: a combobox. */
export function Palette({ opened, onClose, commands }: PaletteProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      classNames={{ inner: 'scrim', content: 'palette' }}
    >
      <Modal.Content aria-label="Command palette">
        {opened && <Search commands={commands} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  );
}

function shown(found: readonly Command[], typed: string): Command[] {
  if (typed.trim() !== '') return found.slice(0, AT_MOST);
  const places = found.filter(({ group }) => group === 'Go to').slice(0, PLACES_AT_MOST);
  const actions = found.filter(({ group }) => group === 'Actions');
  return [...places, ...actions].slice(0, AT_MOST);
}

function Search({ commands, onClose }: Omit<PaletteProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const found = shown(matchCommands(commands, typed), typed);

  function run(command: Command | undefined): void {
    if (command === undefined || command.disabled) return;
    onClose();
    command.run();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') run(found[chosen]);
    else if (event.key === 'ArrowDown') setChosen((chosen + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setChosen((chosen + found.length - 1) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="q">
        <Icon name="search" className="c-accent" />
        <input
          data-autofocus
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder="A collection or an action"
          value={typed}
          onChange={event => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label="Commands" className="list">
        {found.map((command, index) => [
          command.group !== found[index - 1]?.group && (
            <div key={command.group} className="g" role="presentation">
              {command.group}
            </div>
          ),
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-disabled={command.disabled || undefined}
            className={`o ${index === chosen ? 'on' : ''}`}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} size={14} />
            <span className="grow ell">
              {command.label} <span className="t-3">{command.detail}</span>
            </span>
            {command.shortcut && <Kbd>{command.shortcut}</Kbd>}
          </div>,
        ])}
      </div>
      {found.length === 0 && <p className="none t-3">Nothing is called “{typed}”.</p>}
      <div className="f">
        <span>
          <Kbd>↑↓</Kbd> choose
        </span>
        <span>
          <Kbd>↵</Kbd> run
        </span>
        <span className="spacer" />
        <span>
          <Kbd>Esc</Kbd> close
        </span>
      </div>
    </>
  );
}
