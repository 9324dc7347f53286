import { useEffect, useRef } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Kbd } from '../../../components/controls/Kbd.tsx';
import type { Command } from './command.ts';
import { matchRanges } from './match-ranges.ts';
import classes from './palette.module.css';

interface PaletteOptionProps {
  id: string;
  command: Command;
  typed: string;
  chosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

/** One command, with the matching parts of its text marked. */
export function PaletteOption({ id, command, typed, chosen, onPoint, onRun }: PaletteOptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles keys and keeps the focus
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-disabled={command.disabled || undefined}
      className={`${classes.option} ${chosen ? classes.chosen : ''}`}
      title={command.detail === '' ? undefined : `${command.label}: ${command.detail}`}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <Icon name={command.icon} size={14} />
      <span className="grow ell">
        <Marked text={command.label} typed={typed} />{' '}
        <span className="t-3">
          <Marked text={command.detail} typed={typed} />
        </span>
      </span>
      {command.shortcut && <Kbd>{command.shortcut}</Kbd>}
    </div>
  );
}

function Marked({ text, typed }: { text: string; typed: string }) {
  if (typed.trim() === '') return text;
  let from = 0;
  return matchRanges(text, typed).map(({ text: part, hit }) => {
    const key = from;
    from += part.length;
    return hit ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
  });
}
