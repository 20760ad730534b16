// How soon a mistake is underlined: from the key being pressed to the underline being drawn, in a model of 3,000 lines.
// Figures depend on the machine, so none is asserted; on a quiet one:
//
//   npm run measure                (in studio/, after `studio/build` and a build of the command)

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { closeBrowser, openPage, Server } from './harness';

const TRIES = 25;

const many = <T>(count: number, make: (number: number) => T): T[] => Array.from({ length: count }, (_, number) => make(number));

/** Global declarations of 2,000 lines, and twenty templates with declarations of fifty lines each. */
function model(): string {
  const functions = (prefix: string, count: number): string =>
    many(count, (number) => `int ${prefix}${number}(int a) {
    int b = a + ${number};
    for (i : int[0, 3]) {
        b = b * 2 - i;
        if (b > 100) {
            b = 0;
        }
    }
    return b % 7;
}`).join('\n');
  const declarations = ['clock now;', 'broadcast chan go;', ...many(198, (number) => `int[0, 100] v${number};`)].join('\n');
  const templates = many(20, (number) => `<template><name>P${number}</name><declaration>clock x;
${functions(`p${number}_`, 5)}</declaration>
    ${many(6, (at) => `<location id="id${number * 6 + at}" x="${at * 120}" y="0"><name x="${at * 120}" y="-34">L${at}</name></location>`).join('')}
    <init ref="id${number * 6}"/>
    ${many(6, (at) => `<transition><source ref="id${number * 6 + at}"/><target ref="id${number * 6 + ((at + 1) % 6)}"/>
      <label kind="guard">x &gt;= ${at} &amp;&amp; v${at} &lt; 50</label><label kind="assignment">x = 0, v${at} = p${number}_1(v${at}) + f${at}(3)</label></transition>`).join('')}
    </template>`);
  const system = `system ${many(20, (number) => `P${number}`).join(', ')};`;
  return `<?xml version="1.0" encoding="utf-8"?><nta><declaration>${declarations}\n${functions('f', 180).replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</declaration>
    ${templates.join('\n').replaceAll('b > 100', 'b &gt; 100')}<system>${system}</system></nta>`;
}

test('a mistake is underlined in a long model', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'perf-')), 'long.xml');
  writeFileSync(file, model());
  console.log(`${model().split('\n').length} lines, ${Math.round(model().length / 1024)} kB`);
  const server = await Server.start(file);
  const { page, faults } = await openPage(server);
  await page.getByRole('status').filter({ hasText: 'warning' }).waitFor();
  await page.getByRole('button', { name: 'Declarations', exact: true }).click();
  await page.getByRole('textbox', { name: 'Declarations' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nconst int last = 1 + 2;');
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(1000);

  // The clock starts with the event of the key, and stops in the frame that shows the underline.
  await page.evaluate(() => {
    const times: number[] = [];
    let pressed = 0;
    Object.assign(window, { underlined: times });
    addEventListener('keydown', (event) => { if (event.key.length === 1) pressed = event.timeStamp; }, true);
    const seen = (): boolean => document.querySelector('.cm-lintRange-error') !== null;
    const look = (): void => {
      if (pressed > 0 && seen()) {
        times.push(performance.now() - pressed);
        pressed = 0;
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (let go = 0; go < TRIES; go++) {
    await page.keyboard.type('q');
    await page.locator('.cm-lintRange-error').first().waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.cm-lintRange-error').first().waitFor({ state: 'detached' });
  }
  const times = (await page.evaluate(() => (window as unknown as { underlined: number[] }).underlined)).toSorted((a, b) => a - b);
  const at = (part: number): string => `${Math.round(times[Math.floor((times.length - 1) * part)] ?? 0)} ms`;
  console.log(`key to underline, ${times.length} times: median ${at(0.5)}, 95 % below ${at(0.95)}, worst ${at(1)}`);
  expect(faults).toEqual([]);
  await closeBrowser();
  await server.stop();
});
