// How large the page is.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

const PAGE = resolve(import.meta.dirname, '../dist');

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

test('all of the page takes less than 400 kB when it is compressed', () => {
  const sizes = files(PAGE).map((path) => gzipSync(readFileSync(path)).length);
  expect(sizes.length).toBeGreaterThan(5);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length} files, ${total} bytes`);
  expect(total).toBeLessThan(400_000);
});
