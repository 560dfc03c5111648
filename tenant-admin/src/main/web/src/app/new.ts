/** Pages that the palette opens for a new thing: their address ends with #new until they have opened the dialog. */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

export const NEW = 'new';

/** Opens the dialog for a new thing if the palette asks for it. */
export function useNew(open: () => void): void {
  const navigate = useNavigate();
  // The page before still sees the location to which the router is on its way.
  const asked = useRouterState({ select: (state) => state.resolvedLocation?.hash === NEW });
  useEffect(() => {
    if (!asked) return;
    open();
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [asked]); // eslint-disable-line react-hooks/exhaustive-deps
}
