// The tests in a real browser: `npm run test:browser`, after `studio/build` and a build of the command.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/**/*.test.ts'], fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } },
});
