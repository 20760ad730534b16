// What is measured in a real browser: `npm run measure`, after `studio/build` and a build of the command.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/perf-*.ts'], fileParallelism: false, testTimeout: 600_000, hookTimeout: 60_000 },
});
