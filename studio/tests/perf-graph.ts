// How smooth a zone graph of 2,000 nodes is to look at: how long it takes to unfold, and times of frames while it is
// shifted and zoomed. Figures depend on the machine, so none is asserted; on a quiet one:
//
//   npm run measure                (in studio/, after `studio/build` and a build of the command)

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, Server } from './harness';

const NODES = 2000;

/** The times between frames while something is done, in milliseconds. */
async function frames(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    let last = performance.now();
    const frame = (now: number): void => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { frameTimes: times });
  });
  await act();
  const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
  return times.slice(2).sort((one, other) => one - other);
}

function tell(what: string, times: readonly number[]): void {
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? NaN).toFixed(1);
  console.info(`${what}: ${times.length} frames, median ${at(0.5)} ms, 95 % within ${at(0.95)} ms`);
  expect(times.length).toBeGreaterThan(10);
}

test('a zone graph is shifted and zoomed', async () => {
  const server = await Server.start(`${EXAMPLES}/train-gate.xml`);
  const { page, faults } = await openPage(server);
  await page.keyboard.press('Alt+5');
  await page.getByRole('spinbutton', { name: 'Maximum number of nodes' }).fill(String(NODES));
  await page.getByRole('button', { name: 'Compute the zone graph' }).click();
  await page.getByRole('application').waitFor({ timeout: 60_000 });
  const took = await page.evaluate(async () => {
    const unfold = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Unfold all');
    const begin = performance.now();
    unfold?.click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - begin;
  });
  const about = await page.locator('.about').textContent();
  console.info(`unfolded ${about?.trim()} in ${took.toFixed(0)} ms`);
  const drag = async (): Promise<void> => {
    await page.mouse.move(300, 300);
    await page.mouse.down();
    for (let step = 0; step < 80; step += 1) await page.mouse.move(300 + 4 * step, 300 + 2 * step);
    await page.mouse.up();
  };
  tell('shifted as a whole', await frames(page, drag));
  tell('zoomed', await frames(page, async () => {
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, -70);
      await page.waitForTimeout(16);
    }
  }));
  tell('shifted from near', await frames(page, drag));
  await server.stop();
  await closeBrowser();
  expect(faults).toEqual([]);
});
