import type { KeyboardEvent, ReactNode } from 'react';
import { number } from '../words/formats';
import { cx } from './basics';
import kit from './kit.module.css';

export interface TabsProps<T extends string> {
  readonly label: string;
  /** The tabs in their order. */
  readonly names: Readonly<Record<T, string>>;
  /** Numbers beside the names; zero is left out. */
  readonly counts?: Partial<Record<T, number>>;
  readonly tab: T;
  readonly onTab: (tab: T) => void;
  readonly listClass?: string | undefined;
  readonly panelClass?: string | undefined;
  /** Whether the panel is a stop of the Tab key, because its content may have none. */
  readonly stop?: boolean;
  readonly children: ReactNode;
}

/** Tabs with the panel of the selected one. The arrow keys move between them. */
export function Tabs<T extends string>({
  label,
  names,
  counts = {},
  tab,
  onTab,
  listClass,
  panelClass,
  stop = false,
  children,
}: TabsProps<T>) {
  const tabs = Object.keys(names) as T[];
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]!;
    onTab(to);
    document.getElementById(`tab-${to}`)?.focus();
  };
  return (
    <>
      <div className={cx(kit.tabs, listClass)} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="tab-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onTab(name)}
          >
            {names[name]}
            {counts[name] ? <span> {number(counts[name])}</span> : null}
          </button>
        ))}
      </div>
      <div
        className={panelClass}
        role="tabpanel"
        id="tab-panel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={stop ? 0 : undefined}
      >
        {children}
      </div>
    </>
  );
}
