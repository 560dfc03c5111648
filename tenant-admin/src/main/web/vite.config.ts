import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Admin port of a running Mailroom, for the dev server. */
const admin = process.env.MAILROOM_ADMIN ?? 'http://localhost:8081';

export default defineConfig({
  plugins: [
    react(),
    {
      // A page loads the documents of its own folder only.
      name: 'generated-modules-have-no-effects',
      transform: { filter: { id: /[\\/]src[\\/]gen[\\/]/ }, handler: () => ({ moduleSideEffects: false }) },
    },
  ],
  html: { cspNonce: 'MAILROOM_NONCE' },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { port: 5173, proxy: { '/graphql': admin, '/preview': admin } },
  test: { include: ['src/**/*.test.ts'] },
});
