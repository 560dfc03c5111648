import type { KeyboardEvent, ReactNode } from 'react';
import kit from '../kit/kit.module.css';

export const tabs = ['records', 'authentication', 'readiness', 'providers'] as const;
export type Tab = (typeof tabs)[number];

const names: Record<Tab, string> = {
  records: 'Records and settings',
  authentication: 'Authentication',
  readiness: 'Readiness',
  providers: 'Providers',
};

/** The views of a domain. */
export function Tabs({ tab, onTab, children }: { tab: Tab; onTab: (tab: Tab) => void; children: ReactNode }) {
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]!;
    onTab(to);
    document.getElementById(`tab-${to}`)?.focus();
  };
  return (
    <>
      <div className={kit.tabs} role="tablist" aria-label="Views of the domain" onKeyDown={move}>
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
          </button>
        ))}
      </div>
      <div className={kit.grid} role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {children}
      </div>
    </>
  );
}
