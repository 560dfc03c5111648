/** A list over the whole width, with a drawer that shows one of its rows. */
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, cx, ICON } from './basics';
import css from './split.module.css';
import kit from './kit.module.css';
import { Sheet } from './layers';

/** A page whose list fills it. The drawer stands beside the list on wide screens and covers it on others. */
export function Split({ head, filters, label, bar, drawer, drawerLabel, onClose, children }: {
  head: ReactNode; filters?: ReactNode; label: string;
  /** Stands below the list: the pages, or what is selected. */
  bar?: ReactNode;
  drawer: ReactNode; drawerLabel: string; onClose: () => void; children: ReactNode;
}) {
  const wide = useMediaQuery('(min-width: 1281px)', true, { getInitialValueInEffect: false });
  return (
    <div className={css.frame}>
      <div className={css.head}>{head}</div>
      {filters ? <div className={css.filters} role="search" aria-label="Filters">{filters}</div> : null}
      <div className={css.split} data-open={drawer && wide ? true : undefined}>
        <section className={css.list} aria-label={label}><div className={css.rows}>{children}</div>{bar}</section>
        {drawer && wide ? <aside className={css.drawer} aria-label={drawerLabel}>{drawer}</aside> : null}
      </div>
      {drawer && !wide ? <Sheet title={drawerLabel} side="right" onClose={onClose}><div className={cx(css.drawer, css.over)}>{drawer}</div></Sheet> : null}
    </div>
  );
}

/** The frame of a drawer: Esc closes it, and the focus goes back to the row. */
export function DrawerFrame({ id, status, title, facts, tools, acts, onClose, previous, next, noun, children }: {
  id: string; status?: ReactNode; title: ReactNode; facts?: ReactNode; tools?: ReactNode; acts?: ReactNode; onClose: () => void;
  previous: (() => void) | undefined; next: (() => void) | undefined; noun: string; children: ReactNode;
}) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role=dialog]')) close.current();
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
      if (back?.isConnected) back.focus();
    };
  }, [id]);
  return (
    <>
      <header className={css.drawerHead}>
        <div className={css.row}>
          {status}
          <div className={css.tools}>
            <Button kind="bare" iconOnly icon={ChevronUp} aria-label={`Newer ${noun}`} aria-disabled={previous ? undefined : true} onClick={previous} />
            <Button kind="bare" iconOnly icon={ChevronDown} aria-label={`Older ${noun}`} aria-disabled={next ? undefined : true} onClick={next} />
            {tools}
            <Button kind="bare" iconOnly icon={X} aria-label="Close" onClick={onClose} />
          </div>
        </div>
        {title ? <h2><bdi>{title}</bdi></h2> : null}
        {facts}
        {acts ? <div className={css.acts}>{acts}</div> : null}
      </header>
      <div className={css.drawerBody}>{children}</div>
    </>
  );
}

/** Time without a key after which a filter applies. */
const FILTER_MS = 300;

/** The text filter of a list, which / focuses. */
export function SearchField({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [text, setText] = useState(value ?? '');
  const apply = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), FILTER_MS);
  useEffect(() => setText(value ?? ''), [value]);
  return (
    <div className={css.search}>
      <Search {...ICON} size={15} />
      <input className={kit.input} type="text" aria-label={label} placeholder={label} data-filter value={text}
        onChange={(event) => { setText(event.target.value); apply(event.target.value); }}
        onKeyDown={(event) => { if (event.key === 'Escape') event.currentTarget.blur(); }} />
      <kbd className={kit.kbd}>/</kbd>
    </div>
  );
}
