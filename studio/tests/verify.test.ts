// Queries, coverage and zone graphs.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, picture, Server, type Opened } from './harness';

let server: Server;
let opened: Opened;

beforeEach(async ({ task }) => {
  server = await Server.start(`${EXAMPLES}/${task.name.split(':')[0]}`, '--runs', '1');
  opened = await openPage(server);
});

afterEach(async () => {
  await opened.context.close();
  await server.stop();
  expect(opened.faults).toEqual([]);
});

afterAll(closeBrowser);

const answer = (page: Page) => page.getByRole('article', { name: 'Answer' });

test('train-gate.xml: all queries are run and come out as expected', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  const rows = page.getByRole('region', { name: 'Queries' }).getByRole('listitem');
  await rows.first().waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(() => rows.getByRole('img', { name: /^(satisfied|violated)$/ }).count(), { timeout: 60_000 }).toBe(await rows.count());
  await expect.poll(() => page.getByText('unexpected').count()).toBe(0);
  await answer(page).getByText('as expected').waitFor();
  await answer(page).getByRole('row', { name: /^abstraction/ }).waitFor();
  await picture(page, 'studio-verify');
});

test('fischer-broken.xml: a query that fails leads to its run in the simulator', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText('violated').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), answer(page).getByRole('button', { name: 'Save the run' }).first().click()]);
  expect(file.suggestedFilename()).toBe('run.json');
  await answer(page).getByRole('button', { name: 'Show in the simulator' }).first().click();
  await page.waitForFunction(() => location.hash.startsWith('#/simulate'));
});

test('fischer.xml: answers grow old when the model changes, and new again when that is undone', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await answer(page).waitFor();
  const stale = answer(page).getByText('The model has changed since');
  await expect.poll(() => stale.count()).toBe(0);
  await page.getByRole('textbox', { name: 'Comment of query 1' }).fill('Another comment');
  await expect.poll(() => stale.count()).toBe(0);
  await page.keyboard.press('Alt+1');
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Renamed');
  await page.keyboard.press('Alt+2');
  await stale.waitFor();
  await page.getByText('1 out of date').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => stale.count()).toBe(0);
});

test('csmacd.xml: what is chosen is used, kept, and refused with a reason where it cannot be combined', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('combobox', { name: /^order/ }).selectOption('dfs');
  await page.reload();
  await page.getByRole('button', { name: 'Options (1)' }).click();
  await expect.poll(() => page.getByRole('combobox', { name: /^order/ }).inputValue()).toBe('dfs');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await answer(page).getByRole('row', { name: /^order dfs/ }).waitFor();
  await page.getByRole('button', { name: 'Options (1)' }).click();
  await page.getByRole('combobox', { name: /^engine/ }).selectOption('symbolic');
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText('--engine zones').waitFor();
  await page.getByRole('combobox', { name: /^order/ }).selectOption('');
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText('satisfied').waitFor();
});

test('train-gate.xml: an answer by exhaustion gets a seal if that is chosen, and a witness gets none', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  const seal = answer(page).getByText('certified');
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText('satisfied', { exact: true }).waitFor();
  expect(await seal.count()).toBe(0);
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('checkbox', { name: /^Certify/ }).check();
  await page.reload();
  await page.getByRole('button', { name: 'Options (1)' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: /^Certify/ }).isChecked()).toBe(true);
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await seal.waitFor();
  const numbers = /^[\d,]+ states and [\d,]+ successors checked in .*\nSHA-256 [0-9a-f]{64}$/;
  expect(await seal.getAttribute('title')).toMatch(numbers);
  await page.getByRole('button', { name: /^Query 2:/ }).click();
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText(/^Witness \(/).waitFor();
  expect(await seal.count()).toBe(0);
});

test('fischer.tck: questions are labels', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Labels of question 1' }).fill('critical1, critical2');
  await page.keyboard.press('Control+Enter');
  await answer(page).getByRole('strong').waitFor();
  await expect.poll(() => answer(page).getByRole('strong').first().textContent()).toBe('violated');
  await page.getByRole('button', { name: 'Add labels' }).click();
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/no location has the label/i).first().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const second = page.getByRole('textbox', { name: 'Labels of question 2' });
  await second.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => second.inputValue()).toBe('nowhere');
});

test('fischer.xml: a long run shows its progress, waits for another one, and is stopped', async () => {
  const { page, context } = opened;
  // Twelve processes take far longer than this test.
  const sheet = ((await (await server.call('POST', 'open', { from: 'file' })).json()) as { sheet: { body: { declarations: string } } }).sheet;
  const larger = { ...sheet, body: { ...sheet.body, declarations: sheet.body.declarations.replace(/\bN = \d+/, 'N = 12') } };
  const written = (await (await server.call('POST', 'write', { sheet: larger, to: 'xml' })).json()) as { text: string };
  // A formula that orders the numbers of processes leaves no symmetry.
  const text = written.text.replace(/<formula>[^<]*<\/formula>/, '<formula>A[] turn &lt; N + 1</formula>');
  const open = async (one: Page): Promise<void> => {
    await one.locator('input[type=file]').first().setInputFiles({ name: 'larger.xml', mimeType: 'text/xml', buffer: Buffer.from(text) });
    await one.waitForFunction(() => document.title === 'larger.xml');
    await one.keyboard.press('Alt+2');
    await one.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
    await one.keyboard.press('Control+Enter');
  };
  await open(page);
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText('running').waitFor();
  const visited = async (): Promise<number> => Number(/visited\s*([\d,]+)/.exec(await progress.innerText())?.[1]?.replaceAll(',', ''));
  const first = await expect.poll(visited).toBeGreaterThan(0).then(visited);
  await expect.poll(visited).toBeGreaterThan(first);
  const other = await context.newPage();
  await other.goto(server.origin);
  await other.getByRole('button', { name: 'Open', exact: true }).waitFor();
  await open(other);
  await other.getByText('waits for another run').waitFor();
  await page.bringToFront();
  await page.keyboard.press('Escape');
  await answer(page).getByText('unknown').waitFor({ timeout: 20_000 });
  await other.getByRole('region', { name: 'Progress' }).getByText('running').waitFor();
  await other.close();
  await expect.poll(async () => ((await (await server.call('GET', 'status')).json()) as { runs: number }).runs, { timeout: 20_000 }).toBe(0);
});

test('two-doors.xml: coverage is drawn on the automata', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+4');
  await page.getByRole('button', { name: 'Explore', exact: true }).click();
  await page.getByText('The exploration is complete.').waitFor({ timeout: 60_000 });
  await expect.poll(() => page.getByRole('table').first().getByRole('row').count()).toBeGreaterThan(1);
  await picture(page, 'studio-coverage');
});

test('fischer.xml: the zone graph is folded, searched and walked by keys', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+5');
  await page.getByRole('button', { name: 'Compute the zone graph' }).click();
  const drawing = page.getByRole('application');
  await drawing.waitFor({ timeout: 60_000 });
  const said = (): Promise<string | null> => drawing.getAttribute('aria-label');
  await expect.poll(() => said()).toContain('Node 0');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => said()).not.toContain('Node 0:');
  await page.keyboard.press('ArrowLeft');
  const shown = async (): Promise<number> => Number(/([\d,]+) shown/.exec((await page.locator('.about').textContent()) ?? '')?.[1]?.replaceAll(',', ''));
  const before = await shown();
  await page.keyboard.press('Enter');
  await expect.poll(() => shown()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => shown()).toBe(before);
  await page.keyboard.press('/');
  await page.keyboard.type('critical');
  await page.keyboard.press('Enter');
  await expect.poll(() => said()).toContain('Critical');
  await picture(page, 'studio-graph');
  await page.getByRole('button', { name: 'Go there in the simulator' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/simulate'));
  await page.getByRole('main').getByText('Critical', { exact: true }).first().waitFor();
});
