import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './tokens.css';
import './base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { client, router } from './router';
import { setLanguage } from '../words/formats';
import { applyShortcuts } from './shortcuts';

setNonce(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '');
applyShortcuts();
// A browser in the locale C of POSIX says en-US@posix, which is no language tag.
setLanguage(navigator.language.replace(/@.*/, ''));

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
