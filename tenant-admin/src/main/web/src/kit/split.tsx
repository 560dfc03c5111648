/** A list over the whole width, with a drawer that shows one of its rows. */
import { useMediaQuery } from '@mantine/hooks';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button, cx } from './basics';
import css from './split.module.css';
import { Sheet } from './layers';

/** A page whose list fills it. The drawer stands beside the list on wide screens and covers it on others. */
export function Split({
  head,
  filters,
  label,
  bar,
  drawer,
  drawerLabel,
  onClose,
  children,
}: {
  head: ReactNode;
  filters?: ReactNode;
  label: string;
  /** Stands below the list: the pages, or what is selected. */
  bar?: ReactNode;
  drawer: ReactNode;
  drawerLabel: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const wide = useMediaQuery('(min-width: 1281px)', true, { getInitialValueInEffect: false });
  return (
    <div className={css.frame}>
      <div className={css.head}>{head}</div>
      {filters ? (
        <div className={css.filters} role="search" aria-label="Filters">
          {filters}
        </div>
      ) : null}
      <div className={css.split} data-open={drawer && wide ? true : undefined}>
        <section className={css.list} aria-label={label}>
          <div className={css.rows}>{children}</div>
          {bar}
        </section>
        {drawer && wide ? (
          <aside className={css.drawer} aria-label={drawerLabel}>
            {drawer}
          </aside>
        ) : null}
      </div>
      {drawer && !wide ? (
        <Sheet title={drawerLabel} side="right" onClose={onClose}>
          <div className={cx(css.drawer, css.over)}>{drawer}</div>
        </Sheet>
      ) : null}
    </div>
  );
}

/** The frame of a drawer: Esc closes it, and the focus goes back to the row. */
export function DrawerFrame({
  id,
  status,
  title,
  facts,
  tools,
  acts,
  onClose,
  previous,
  next,
  noun,
  children,
}: {
  id: string;
  status?: ReactNode;
  title: ReactNode;
  facts?: ReactNode;
  tools?: ReactNode;
  acts?: ReactNode;
  onClose: () => void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  noun: string;
  children: ReactNode;
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
            <Button
              kind="bare"
              iconOnly
              icon={ChevronUp}
              aria-label={`Newer ${noun}`}
              aria-disabled={previous ? undefined : true}
              onClick={previous}
            />
            <Button
              kind="bare"
              iconOnly
              icon={ChevronDown}
              aria-label={`Older ${noun}`}
              aria-disabled={next ? undefined : true}
              onClick={next}
            />
            {tools}
            <Button kind="bare" iconOnly icon={X} aria-label="Close" onClick={onClose} />
          </div>
        </div>
        {title ? (
          <h2>
            <bdi>{title}</bdi>
          </h2>
        ) : null}
        {facts}
        {acts ? <div className={css.acts}>{acts}</div> : null}
      </header>
      <div className={css.drawerBody}>{children}</div>
    </>
  );
}
