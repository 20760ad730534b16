// Whole ways through the studio, as somebody goes who has a question; and the pictures of them.

import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, picture, Server, type Opened } from './harness';

let server: Server;
let opened: Opened;

beforeEach(async ({ task }) => {
  const model = task.name.split(':')[0] ?? '';
  server = await Server.start(model.endsWith('.xml') ? `${EXAMPLES}/${model}` : null);
  opened = await openPage(server);
});

afterEach(async () => {
  await opened.context.close();
  await server.stop();
  expect(opened.faults).toEqual([]);
});

afterAll(closeBrowser);

test('from nothing: two locations are drawn and connected, a query is asked, and its run is looked at', async () => {
  const { page } = opened;
  const canvas = page.getByRole('application', { name: /^Template / });
  await canvas.focus();
  const locations = page.getByRole('button', { name: /^location / });
  await expect.poll(() => locations.count()).toBe(1);
  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  await expect.poll(() => locations.count()).toBe(2);
  await page.getByRole('textbox', { name: 'Name' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Goal');
  await page.getByRole('button', { name: /^location Goal/ }).waitFor();
  await page.keyboard.press('Alt+d');
  await page.getByRole('textbox', { name: /declarations/i }).first().click();
  await page.keyboard.type('clock x;');
  await page.keyboard.press('Alt+t');
  await locations.first().click();
  await page.keyboard.press('e');
  await page.getByRole('button', { name: /^location Goal/ }).click();
  const edge = page.getByRole('button', { name: /^edge / });
  await expect.poll(() => edge.count()).toBe(1);
  await page.getByRole('button', { name: 'Arrange' }).click();
  await edge.click();
  await page.getByRole('textbox', { name: 'Guard' }).click();
  await page.keyboard.type('x > 2 && x < 3');
  await page.getByText('No problems').waitFor();

  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.getByRole('textbox', { name: 'Formula of query 1' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('E<> ');
  await page.keyboard.type('Process.Goal');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  const answer = page.getByRole('article', { name: 'Answer' });
  await answer.getByText('satisfied', { exact: true }).waitFor();
  await answer.getByRole('button', { name: 'Show in the simulator' }).click();
  await page.getByText(/^Witness:/).waitFor();
  await page.keyboard.press('End');
  // Between 2 and 3 there is no whole number.
  await page.getByText('5/2').first().waitFor();
});

test('fischer-broken.xml: a query fails, and its run is followed in the simulator and its charts', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  const answer = page.getByRole('article', { name: 'Answer' });
  await answer.getByText('violated', { exact: true }).waitFor();
  await answer.getByRole('button', { name: 'Show in the simulator' }).first().click();
  await page.getByText(/^Counterexample:/).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('g');
  const chart = page.getByRole('application', { name: /Gantt chart/ });
  await chart.waitFor();
  await expect.poll(() => chart.getAttribute('aria-label')).toContain('at step 6 of 6');
  await chart.getByText('Critical').first().waitFor();
  await picture(page, 'studio-time');
});

test('train-gate.xml: the editor and the simulator are shown', async () => {
  const { page } = opened;
  await page.getByText('No problems').waitFor();
  await page.getByRole('button', { name: /^location Cross/ }).click();
  await picture(page, 'studio-edit');
  await page.keyboard.press('Alt+3');
  await page.getByText('can be taken').waitFor();
  await page.getByRole('spinbutton', { name: 'Steps' }).fill('9');
  await page.getByRole('button', { name: 'Random walk' }).click();
  await page.getByText('9 / 9').waitFor();
  await picture(page, 'studio-simulate');
});
