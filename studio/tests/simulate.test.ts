// The simulator and the charts, in a real browser: by mouse, by keys, by address, and when something goes wrong.

import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, Server, type Opened } from './harness';

let server: Server;
let opened: Opened;
let page: Page;

beforeAll(async () => {
  server = await Server.start(`${EXAMPLES}/train-gate.xml`);
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

beforeEach(async () => {
  opened = await openPage(server);
  page = opened.page;
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await page.getByRole('listbox', { name: 'Moves' }).waitFor();
  await at(0, 0);
});

afterEach(async () => {
  await opened.context.close();
  expect(opened.faults).toEqual([]);
});

/** Waits until the simulation is at a position. */
async function at(position: number, length: number): Promise<void> {
  const heading = page.getByRole('region', { name: 'Trace' }).getByRole('heading');
  await heading.getByText(`${position.toLocaleString('en')} / ${length.toLocaleString('en')}`, { exact: true }).waitFor();
}

async function walk(steps: number, seed: number): Promise<void> {
  await page.getByRole('spinbutton', { name: 'Steps' }).fill(`${steps}`);
  await page.getByRole('spinbutton', { name: 'Seed' }).fill(`${seed}`);
  await page.getByRole('button', { name: 'Random walk' }).click();
  await at(steps, steps);
}

/** What the panel of the state says, as text. */
const state = (): Promise<string> => page.getByRole('region', { name: 'State' }).innerText();
const steps = () => page.getByRole('region', { name: 'Possible steps' }).locator('button.choice');

test('a random walk can be gone back, and the same seed leads to the same state', async () => {
  await walk(40, 7);
  const there = await state();
  await page.keyboard.press('Home');
  await at(0, 40);
  await expect.poll(() => state()).not.toBe(there);
  await page.keyboard.press('End');
  await at(40, 40);
  await expect.poll(() => state()).toBe(there);
  await page.getByRole('button', { name: 'Restart' }).click();
  await at(0, 0);
  await walk(40, 7);
  await expect.poll(() => state()).toBe(there);
});

test('the keyboard alone takes steps, goes back and forth, and waits', async () => {
  await page.keyboard.press('1');
  await at(1, 1);
  await page.keyboard.press('[');
  await at(0, 1);
  await page.keyboard.press(']');
  await at(1, 1);
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Concrete', pressed: true }).waitFor();
  await at(1, 1);
  await page.keyboard.press('w');
  await page.keyboard.type('5/2');
  await page.keyboard.press('Enter');
  await at(2, 2);
  await expect.poll(() => page.getByRole('region', { name: 'Trace' }).innerText()).toContain('t = 5/2');
  await page.getByRole('textbox', { name: 'Delay' }).fill('1/0');
  await page.getByText('Not a number').waitFor();
});

test('pointing at a step lights its edges, and a click takes it', async () => {
  await steps().first().hover();
  await page.locator('section[aria-label="Automata"] .lit').first().waitFor();
  await steps().first().click();
  await at(1, 1);
  await page.locator('section[aria-label="Automata"] .taken').first().waitFor();
  await expect.poll(() => page.locator('.changed').count()).toBeGreaterThan(0);
});

test('the zone is drawn, and the part of each step in it', async () => {
  await walk(3, 1);
  const picture = page.getByRole('region', { name: 'Clock diagram' });
  await picture.locator('svg .zone').first().waitFor();
  const clocks = picture.getByRole('combobox', { name: 'Clock upwards' });
  await clocks.selectOption({ index: 2 });
  await picture.getByRole('img', { name: /Train\(2\)|Train2|x/ }).waitFor();
  await page.keyboard.press('m');
  await picture.locator('.point').waitFor();
});

test('going to another view and reloading lead back to where it was', async () => {
  await walk(12, 3);
  await page.keyboard.press('[');
  await at(11, 12);
  await page.keyboard.press('Alt+2');
  await page.getByRole('listbox', { name: 'Moves' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Alt+3');
  await at(11, 12);
  await page.reload();
  await at(11, 12);
});

test('an address leads to the same state in another window', async () => {
  await walk(9, 5);
  const there = await state();
  await page.keyboard.press('c');
  await page.getByText('was copied').waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toMatch(/\/#\/simulate\/[0-9a-f]+\/symbolic\/[0-9_]+$/);
  const other = await opened.context.newPage();
  await other.goto(address);
  page = other;
  await at(9, 9);
  await expect.poll(() => state()).toBe(there);
});

test('an address of a model that nobody knows says so', async () => {
  await page.goto(`${server.origin}/#/simulate/${'0'.repeat(32)}/symbolic/0_0`);
  await page.getByText('does not know the model of this address').waitFor();
  await page.getByRole('button', { name: 'Start at the initial state' }).click();
  await at(0, 0);
  // The browser itself reports that something was not found.
  opened.faults = opened.faults.filter((fault) => !fault.includes('404'));
});

test('an address that was cut off says so, and does no harm', async () => {
  // From elsewhere, so that the page is loaded with the address; a change of the address alone is followed at once.
  await page.goto('about:blank');
  await page.goto(`${server.origin}/#/simulate/${'0'.repeat(32)}/symbolic/%E0%A4%A`);
  await page.getByText('address is invalid').waitFor();
  await at(0, 0);
});

test('a simulation that the server has forgotten begins again where it was', async () => {
  await walk(6, 2);
  for (let id = 0; id < 200; id += 1) await server.call('DELETE', `simulations/${id}`);
  await page.keyboard.press('[');
  await at(5, 6);
  opened.faults = opened.faults.filter((fault) => !fault.includes('404'));
});

test('a file that is no run says so', async () => {
  await page.getByLabel('Run file').setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"no": "run"}') });
  await page.getByRole('alert').first().waitFor();
  opened.faults = opened.faults.filter((fault) => !/status of 4\d\d/.test(fault));
});

test('a run that was saved can be opened again', async () => {
  await walk(8, 4);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save run' }).click()]);
  expect(file.suggestedFilename()).toBe('train-gate-run.json');
  const text = readFileSync((await file.path()) ?? '');
  await page.getByRole('button', { name: 'Restart' }).click();
  await at(0, 0);
  await page.getByLabel('Run file').setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: text });
  await at(0, 8);
  await page.getByText('mine.json').waitFor();
});

test('both charts follow, lead to a step, and are files of their own', async () => {
  await walk(30, 6);
  for (const [key, kind] of [['s', 'Message sequence chart'], ['g', 'Gantt chart']] as const) {
    await page.keyboard.press(key);
    const chart = page.getByRole('application', { name: kind });
    await chart.waitFor();
    await expect.poll(() => chart.getAttribute('aria-label')).toContain('at step 30 of 30');
    await chart.focus();
    await page.keyboard.press(kind === 'Gantt chart' ? 'ArrowLeft' : 'ArrowUp');
    await at(29, 30);
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('x')]);
    const text = readFileSync((await file.path()) ?? '', 'utf8');
    const wrong = await page.evaluate((svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '', text);
    expect(wrong).toBe('');
    expect(text).not.toMatch(/var\(|<script|href/);
    expect(text).toContain('Gate');
    await page.keyboard.press('End');
    await at(30, 30);
  }
});

test('a trace of 5,000 steps keeps few rows in the page, and any of them can be gone to', async () => {
  await walk(5000, 1);
  const list = page.getByRole('listbox', { name: 'Moves' });
  await expect.poll(() => list.getByRole('option').count()).toBeLessThan(80);
  await list.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await list.getByRole('option').filter({ hasText: /^2500/ }).getByRole('button').click();
  await at(2500, 5000);
  const chart = page.getByRole('application', { name: 'Message sequence chart' });
  await page.waitForFunction(() => document.querySelector('[aria-roledescription=chart]')?.getAttribute('aria-label')?.includes('of 5000'));
  await expect.poll(() => chart.locator('text').count()).toBeLessThan(400);
});

test('what was edited in between is told, and the same moves are made again', async () => {
  await walk(10, 8);
  // The moves are known when their list is there.
  await page.getByRole('listbox', { name: 'Moves' }).getByRole('option').filter({ hasText: /^10/ }).waitFor();
  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await at(10, 10);
  await page.getByText('The model has been edited since').waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await at(0, 0);
});

test('a counterexample opens here, with its charts', async () => {
  const broken = await Server.start(`${EXAMPLES}/fischer-broken.xml`);
  const other = await openPage(broken);
  page = other.page;
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.getByRole('button', { name: 'Show in the simulator' }).first().click();
  await at(0, 6);
  await page.getByText(/^Counterexample:/).waitFor();
  await page.keyboard.press('End');
  await at(6, 6);
  expect((await state()).match(/Critical/g)).toHaveLength(2);
  await expect.poll(() => page.getByRole('application', { name: 'Message sequence chart' }).getAttribute('aria-label')).toContain('6 of 6');
  // Another view in between, and a reload, lead back to the run.
  await page.keyboard.press('[');
  await at(5, 6);
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('Alt+3');
  await at(5, 6);
  await page.reload();
  await at(5, 6);
  expect(other.faults).toEqual([]);
  await other.context.close();
  await broken.stop();
});

test('another model that is opened here is simulated instead', async () => {
  await walk(4, 1);
  const model = readFileSync(`${EXAMPLES}/speed-trap.xml`, 'utf8');
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'speed-trap.xml'));
    for (const kind of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, model);
  await at(0, 0);
  await page.getByRole('article', { name: 'Camera' }).waitFor();
});

test('a run that is dropped after an address was followed is shown, and the address can be followed again', async () => {
  await walk(3, 9);
  await page.keyboard.press('c');
  await page.getByText('was copied').waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const file = await (await server.call('GET', `simulations/${await newest()}/file`)).text();
  await page.keyboard.press('1');
  await at(4, 4);
  await page.goto(address);
  await at(3, 3);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'run.json'));
    for (const kind of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, file);
  await at(0, 3);
  await page.getByText('run.json').waitFor();
  await page.goto(address);
  await at(3, 3);
});

/** The number of the simulation that was begun last. */
async function newest(): Promise<number> {
  for (let id = 200; id >= 0; id -= 1) if ((await server.call('GET', `simulations/${id}/path`)).ok) return id;
  throw new Error('there is no simulation');
}
