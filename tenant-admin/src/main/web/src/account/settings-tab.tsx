import { notFound, useParams } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType } from 'react';
import { Loading } from '../kit/page';

const tabs: Record<string, ComponentType> = {
  team: lazy(() => import('../team/team-page')),
  security: lazy(() => import('./security')),
  brand: lazy(() => import('../brand/brand-page')),
  notifications: lazy(() => import('./notifications')),
  audit: lazy(() => import('../audit/audit-page')),
};

/** A part of the settings, which loads with its first visit. */
export function SettingsTab() {
  const { tab } = useParams({ from: '/shell/settings/$tab' });
  const Tab = Object.hasOwn(tabs, tab) ? tabs[tab] : undefined;
  if (!Tab) throw notFound();
  return (
    <Suspense fallback={<Loading lines={6} />}>
      <Tab />
    </Suspense>
  );
}
