/** Inputs that filter a list while the reader types. */
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ICON } from './basics';
import css from './filter.module.css';
import kit from './kit.module.css';

export interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** The text filter of a list, which / focuses. */
export function SearchField(props: FilterProps) {
  return (
    <div className={css.search}>
      <Search {...ICON} size={15} />
      <FilterInput {...props} />
      <kbd className={kit.kbd}>/</kbd>
    </div>
  );
}

export function FilterInput({ label, value, onChange }: FilterProps) {
  const [text, setText] = useState(value ?? '');
  const applied = useRef(value);
  const apply = useDebouncedCallback((next: string) => {
    applied.current = next.trim() || undefined;
    onChange(applied.current);
  }, 300);
  // A value that was not typed here, such as that of a link, replaces the text.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value ?? '');
  }, [value]);
  return (
    <input
      className={kit.input}
      type="text"
      aria-label={label}
      placeholder={label}
      data-filter
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        apply(event.target.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
