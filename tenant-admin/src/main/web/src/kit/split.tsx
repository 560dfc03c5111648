/** A list with one of its things beside it: a third column on wide screens, a sheet on others. */
import { useMediaQuery } from '@mantine/hooks';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Button } from './basics';
import { Sheet } from './layers';
import css from './split.module.css';

/** The frame of a page that is a list: its head stays, the list scrolls. */
export function Frame({ head, children }: { head: ReactNode; children: ReactNode }) {
  return <div className={css.frame}><div className={css.head}>{head}</div>{children}</div>;
}

/** The list, and the drawer with the label while there is one. */
export function Split({ label, list, drawer, foot, onClose, children }: {
  label: string; list: string; drawer: ReactNode; foot?: ReactNode; onClose: () => void; children: ReactNode;
}) {
  const wide = useMediaQuery('(min-width: 1281px)', true, { getInitialValueInEffect: false });
  return (
    <>
      <div className={css.split} data-open={drawer && wide ? true : undefined}>
        <section className={css.list} aria-label={list}><div className={css.rows}>{children}</div>{foot}</section>
        {drawer && wide ? <aside className={css.drawer} aria-label={label}>{drawer}</aside> : null}
      </div>
      {drawer && !wide ? <Sheet title={label} side="right" onClose={onClose}><div className={`${css.drawer} ${css.sheet}`}>{drawer}</div></Sheet> : null}
    </>
  );
}

/** What a drawer shows. Escape closes it, and the focus returns to where it was. */
export function DrawerFrame({ id, state, title, facts, tools, children, onClose, previous, next }: {
  id: string; state: ReactNode; title: ReactNode; facts?: ReactNode; tools?: ReactNode; children: ReactNode;
  onClose: () => void; previous: (() => void) | undefined; next: (() => void) | undefined;
}) {
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role=dialog]')) onClose();
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
      if (back?.isConnected) back.focus();
    };
  }, [id]); // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <>
      <header className={css.drawerHead}>
        <div className={css.row}>
          {state}
          <div className={css.tools}>
            <Button kind="bare" iconOnly icon={ChevronUp} aria-label="Newer" aria-disabled={previous ? undefined : true} onClick={previous} />
            <Button kind="bare" iconOnly icon={ChevronDown} aria-label="Older" aria-disabled={next ? undefined : true} onClick={next} />
            <Button kind="bare" iconOnly icon={X} aria-label="Close" onClick={onClose} />
          </div>
        </div>
        {title ? <h2>{title}</h2> : null}
        {facts}
        {tools ? <div className={css.acts}>{tools}</div> : null}
      </header>
      <div className={css.body}>{children}</div>
    </>
  );
}
