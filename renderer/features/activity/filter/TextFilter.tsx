import { TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import classes from '../activity.module.css';

const TYPING_MS = 250;

interface TextFilterProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** Shows typed text at once and applies it after a pause. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = useEffectEvent(onChange);
  useEffect(() => {
    // Back, forward and *Show all* change the URL while the field stays mounted.
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = text;
      apply(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      className={classes.textFilter ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="filter" size={14} />}
      value={text}
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape' || text === '') return;
        event.stopPropagation();
        setText('');
      }}
    />
  );
}
