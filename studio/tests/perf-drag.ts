// How smooth a large template is to drag: times of frames while a location of a template with 150 locations and 400 edges
// is moved. Figures depend on the machine, so none is asserted; on a quiet one:
//
//   npm run measure                (in studio/, after `studio/build` and a build of the command)

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { closeBrowser, openPage, Server } from './harness';

const LOCATIONS = 150;
const EDGES = 400;
const STEPS = 240;
const COLUMNS = 15;

/** A template on a grid, each location with edges to some others, each edge with three labels. */
function model(): string {
  const at = (number: number): { x: number; y: number } => ({ x: (number % COLUMNS) * 170, y: Math.floor(number / COLUMNS) * 170 });
  const locations = Array.from({ length: LOCATIONS }, (_, number) => {
    const { x, y } = at(number);
    return `<location id="id${number}" x="${x}" y="${y}"><name x="${x - 20}" y="${y - 32}">Place${number}</name>
      <label kind="invariant" x="${x - 20}" y="${y + 14}">x &lt;= ${number}</label></location>`;
  });
  const transitions = Array.from({ length: EDGES }, (_, number) => {
    const source = number % LOCATIONS;
    const target = (source + [1, COLUMNS, COLUMNS + 1][Math.floor(number / LOCATIONS)]!) % LOCATIONS;
    const [a, b] = [at(source), at(target)];
    const [x, y] = [Math.round((a.x + b.x) / 2), Math.round((a.y + b.y) / 2)];
    return `<transition><source ref="id${source}"/><target ref="id${target}"/>
      <label kind="guard" x="${x}" y="${y}">x &gt;= ${number}</label>
      <label kind="synchronisation" x="${x}" y="${y + 17}">go!</label>
      <label kind="assignment" x="${x}" y="${y + 34}">x = 0</label></transition>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?><nta><declaration>chan go;</declaration>
    <template><name>Large</name><declaration>clock x;</declaration>${locations.join('\n')}<init ref="id0"/>
    ${transitions.join('\n')}</template><system>system Large;</system></nta>`;
}

test('a large template is dragged', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'perf-')), 'large.xml');
  writeFileSync(file, model());
  const server = await Server.start(file);
  const { page, faults } = await openPage(server);
  await page.getByRole('button', { name: /^location Place67,/ }).waitFor();
  const box = await page.locator('g[data-piece="location:67"]').boundingBox();
  if (!box) throw new Error('the location is not in view');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();

  // Frames are counted by the browser; how long the page worked for them is in its trace, in time of the processor.
  const session = await page.context().newCDPSession(page);
  const events: { name: string; tdur?: number }[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as typeof events)));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { frameTimes: times });
    let last = performance.now();
    const tick = (now: number): void => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.move(x + 90 * Math.sin(step / 9), y + 60 * Math.cos(step / 7));
  }
  const frames = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes.slice(1));
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  await page.mouse.up();

  const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  const worst = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0;
  const tasks = (name: string): number[] => events.filter((event) => event.name === name && event.tdur !== undefined).map((event) => (event.tdur ?? 0) / 1000);
  const line = (title: string, list: number[]): string =>
    `${title.padEnd(28)} ${list.length.toString().padStart(5)}   median ${median(list).toFixed(1)} ms   95 % below ${worst(list).toFixed(1)} ms`;
  console.log(line('frame to frame', frames));
  for (const name of ['EventDispatch', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit', 'RasterTask']) console.log(line(name, tasks(name)));
  expect(faults).toEqual([]);
  await closeBrowser();
  await server.stop();
});
