/** An input that filters a list while the reader types. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import css from './kit.module.css';

export function FilterInput({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [text, setText] = useState(value ?? '');
  const apply = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), 300);
  useEffect(() => setText((old) => (old.trim() === (value ?? '') ? old : value ?? '')), [value]);
  return (
    <input className={css.input} type="text" aria-label={label} placeholder={label} data-filter value={text} onChange={(event) => { setText(event.target.value); apply(event.target.value); }}
      onKeyDown={(event) => { if (event.key === 'Escape') event.currentTarget.blur(); }} />
  );
}
