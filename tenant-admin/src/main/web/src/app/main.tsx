import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import '@mantine/core/styles/default-css-variables.css';
import './tokens.css';
import './base.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { client, router } from './router';
import { applyShortcuts } from './shortcuts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);
applyShortcuts();

const theme = createTheme({ fontFamily: 'var(--sans)', fontFamilyMonospace: 'var(--mono)', primaryColor: 'teal', respectReducedMotion: true });

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} getStyleNonce={() => nonce} deduplicateCssVariables={false} withGlobalClasses={false} defaultColorScheme="light">
    <QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>
  </MantineProvider>,
);
