/** The menu of the account, which loads after the frame. */
import { useNavigate } from '@tanstack/react-router';
import {
  Activity,
  BookOpen,
  Gauge,
  Keyboard,
  LayoutDashboard,
  LogOut,
  Monitor,
  Moon,
  Server,
  Settings,
  Sun,
} from 'lucide-react';
import { MenuButton, type MenuEntry, type MenuProps } from '../kit/layers';
import { apiUrl, cells, pathOf } from './config';
import { base } from './graphql';
import { session } from './session';
import { setTheme, useTheme } from './theme';

export default function AccountMenu({
  label,
  trigger,
  console,
  operator,
  help,
}: Pick<MenuProps, 'label' | 'trigger'> & { console: boolean; operator: boolean; help: () => void }) {
  const navigate = useNavigate();
  const theme = useTheme();
  const mark = (value: string) => (theme === value ? 'chosen' : undefined);
  const entries: MenuEntry[] = [
    { kind: 'item', text: 'Settings', icon: Settings, act: () => void navigate({ to: '/settings' }) },
    ...(console
      ? []
      : [{ kind: 'item', text: 'Usage', icon: Gauge, act: () => void navigate({ to: '/usage' }) } as const]),
    { kind: 'item', text: 'Keyboard shortcuts', icon: Keyboard, act: help },
    ...(operator
      ? [
          console
            ? ({
                kind: 'item',
                text: 'Mail of this account',
                icon: LayoutDashboard,
                act: () => void navigate({ to: '/overview' }),
              } as const)
            : ({
                kind: 'item',
                text: 'Operator console',
                icon: Activity,
                act: () => void navigate({ to: '/operator' }),
              } as const),
        ]
      : []),
    ...(console && cells().length > 0
      ? [
          { kind: 'line', key: 'cells' } as const,
          { kind: 'label', text: 'Cell' } as const,
          ...cells().map((cell): MenuEntry => ({
            kind: 'item',
            text: cell,
            icon: Server,
            right: pathOf(cell) === base ? 'chosen' : undefined,
            act: () => window.location.assign(`${pathOf(cell)}/operator`),
          })),
          { kind: 'line', key: 'reference' } as const,
        ]
      : []),
    { kind: 'item', text: 'API reference', icon: BookOpen, href: `${apiUrl()}/docs` },
    { kind: 'line', key: 'theme' },
    { kind: 'label', text: 'Theme' },
    { kind: 'item', text: 'System', icon: Monitor, right: mark('system'), act: () => setTheme('system') },
    { kind: 'item', text: 'Light', icon: Sun, right: mark('light'), act: () => setTheme('light') },
    { kind: 'item', text: 'Dark', icon: Moon, right: mark('dark'), act: () => setTheme('dark') },
    { kind: 'line', key: 'end' },
    { kind: 'item', text: 'Sign out', icon: LogOut, act: () => void session.signOut() },
  ];
  return <MenuButton label={label} trigger={trigger} entries={entries} />;
}
