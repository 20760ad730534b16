// The configuration of the build.

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// For work on the page itself: `npm run dev`, beside `tourbillon studio --no-open`, whose interface is passed on to.
const server = process.env['STUDIO_SERVER'] ?? 'http://127.0.0.1:7423';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2023', sourcemap: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server, changeOrigin: true, headers: { Origin: server } } } },
  test: { include: ['src/**/*.test.ts'] },
});
