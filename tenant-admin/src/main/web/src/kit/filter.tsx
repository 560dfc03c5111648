/** An input that filters a list while the reader types. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import css from './kit.module.css';

export function FilterInput({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
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
    <input className={css.input} type="text" aria-label={label} placeholder={label} data-filter value={text} onChange={(event) => { setText(event.target.value); apply(event.target.value); }}
      onKeyDown={(event) => { if (event.key === 'Escape') event.currentTarget.blur(); }} />
  );
}
