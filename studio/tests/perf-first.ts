// How soon the page is there: from the beginning of the navigation to the frame in which the automaton of the example is
// drawn, in a browser that knows nothing of the page. And how a trace of 5,000 steps scrolls.
//
//   npm run measure                (in studio/, after `studio/build` and a build of the command)

import { expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, Server } from './harness';

const TRIES = 9;

const sorted = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b);
const median = (numbers: number[]): number => sorted(numbers)[numbers.length >> 1] ?? NaN;

test('the first view', async () => {
  const server = await Server.start(`${EXAMPLES}/train-gate.xml`);
  const times: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { page, context } = await openPage(server);
    await page.getByRole('button', { name: /^location Cross/ }).waitFor();
    times.push(await page.evaluate(() => new Promise<number>((done) => requestAnimationFrame(() => done(performance.now())))));
    await context.close();
  }
  console.log(`first view: median ${Math.round(median(times))} ms, worst ${Math.round(Math.max(...times))} ms of ${TRIES}`);
  expect(times).toHaveLength(TRIES);
  await closeBrowser();
  await server.stop();
});

test('a trace of 5,000 steps', async () => {
  const server = await Server.start(`${EXAMPLES}/train-gate.xml`);
  const { page, context } = await openPage(server);
  await page.keyboard.press('Alt+3');
  await page.getByRole('spinbutton', { name: 'Steps' }).fill('5000');
  await page.getByRole('button', { name: 'Random walk' }).click();
  await page.getByText(/^5,?000 \/ 5,?000$/).waitFor({ timeout: 60_000 });
  const list = page.getByRole('listbox', { name: 'Moves' });
  const frames = await list.evaluate(
    (element) =>
      new Promise<number[]>((done) => {
        const times: number[] = [];
        let last = performance.now();
        element.scrollTop = 0;
        const frame = (now: number): void => {
          times.push(now - last);
          last = now;
          element.scrollTop += 400;
          if (times.length < 240) requestAnimationFrame(frame);
          else done(times.slice(2));
        };
        requestAnimationFrame(frame);
      }),
  );
  console.log(`scrolling 5,000 steps: frame to frame, median ${median(frames).toFixed(1)} ms, worst ${Math.max(...frames).toFixed(1)} ms of ${frames.length}`);
  expect(frames.length).toBeGreaterThan(200);
  await context.close();
  await closeBrowser();
  await server.stop();
});
