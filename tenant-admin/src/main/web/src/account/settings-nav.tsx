import { Link } from '@tanstack/react-router';
import css from './settings-nav.module.css';

const tabs = { team: 'Team', security: 'Security', brand: 'Brand', notifications: 'Notifications' } as const;

/** Links to the parts of the settings. */
export function SettingsNav() {
  const active = { 'aria-current': 'page' } as const;
  return (
    <nav className={css.tabs} aria-label="Settings">
      <Link to="/settings" activeOptions={{ exact: true }} activeProps={active}>
        Account
      </Link>
      {Object.entries(tabs).map(([tab, name]) => (
        <Link key={tab} to="/settings/$tab" params={{ tab }} activeProps={active}>
          {name}
        </Link>
      ))}
      <Link to="/usage" activeProps={active}>
        Plan
      </Link>
      <Link to="/settings/$tab" params={{ tab: 'audit' }} activeProps={active}>
        Audit log
      </Link>
    </nav>
  );
}
