/** Mantine's settings for floating layers. Only the chunks of layers load it, because nothing else of the app needs it. */
import '@mantine/core/styles/default-css-variables.css';
import './floating.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { getNonce } from 'get-nonce';
import type { ReactNode } from 'react';

const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  primaryColor: 'teal',
  respectReducedMotion: true,
});

export function Floating({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      getStyleNonce={() => getNonce() ?? ''}
      deduplicateCssVariables={false}
      withGlobalClasses={false}
      defaultColorScheme="light"
    >
      {children}
    </MantineProvider>
  );
}
