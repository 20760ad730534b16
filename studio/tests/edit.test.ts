// Editing in a real browser: with the pointer, with the keyboard alone, with mistakes in it, and as text.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { closeBrowser, EXAMPLES, openPage, Server, type Opened } from './harness';

let empty: Server;
let train: Server;
let text: Server;
let opened: Opened | null = null;

beforeAll(async () => {
  [empty, train, text] = await Promise.all([
    Server.start(), Server.start(`${EXAMPLES}/train-gate.xml`), Server.start(`${EXAMPLES}/fischer.tck`),
  ]);
});

afterEach(async () => {
  const faults = opened?.faults ?? [];
  await opened?.context.close();
  opened = null;
  expect(faults).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await Promise.all([empty.stop(), train.stop(), text.stop()]);
});

async function open(server: Server): Promise<Page> {
  opened = await openPage(server);
  await opened.page.getByRole('status').filter({ hasText: /No problems|error|warning/ }).waitFor();
  return opened.page;
}

const locations = (page: Page): Locator => page.getByRole('button', { name: /^location / });
const edges = (page: Page): Locator => page.getByRole('button', { name: /^edge / });
const problems = (page: Page): Locator => page.getByRole('region', { name: 'Problems' });

async function centre(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.locator('.body').boundingBox();
  if (!box) throw new Error('not in view');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

test('locations are added, connected, moved and labelled with the pointer', async () => {
  const page = await open(empty);
  const canvas = page.getByRole('application', { name: /^Template / });
  const box = await canvas.boundingBox();
  if (!box) throw new Error('no canvas');
  const before = await locations(page).count();
  await page.mouse.dblclick(box.x + 200, box.y + 300);
  await page.mouse.dblclick(box.x + 420, box.y + 300);
  await expect.poll(() => locations(page).count()).toBe(before + 2);

  const [a, b] = [await centre(locations(page).nth(before)), await centre(locations(page).nth(before + 1))];
  const scale = (b.x - a.x) / 221;
  await drag(page, { x: a.x + 13 * Math.max(1, scale), y: a.y }, b);
  await expect.poll(() => edges(page).count()).toBe(1);

  await drag(page, b, { x: b.x, y: b.y + 80 });
  const moved = await centre(locations(page).nth(before + 1));
  expect(moved.y).toBeGreaterThan(b.y + 50);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => Math.round((await centre(locations(page).nth(before + 1))).y)).toBe(Math.round(b.y));

  await page.mouse.dblclick((a.x + b.x) / 2, a.y);
  await page.getByRole('dialog', { name: 'Edit in place' }).getByRole('textbox', { name: 'Update' }).click();
  await page.keyboard.type('n = 1');
  await page.keyboard.press('Enter');
  await expect.poll(() => edges(page).first().getAttribute('aria-label')).toContain('assignment n = 1');
  await problems(page).getByText('n', { exact: true }).first().waitFor();
});

test('edges are bent, and labels put elsewhere', async () => {
  const page = await open(train);
  const line = page.getByRole('button', { name: /^edge Stop to Start/ });
  const path = (): Promise<string | null> => line.locator('.line').getAttribute('d');
  const straight = await path();
  const [a, b] = [await centre(page.getByRole('button', { name: /^location Stop/ })), await centre(page.getByRole('button', { name: /^location Start/ }))];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  await drag(page, middle, { x: middle.x - 60, y: middle.y + 60 });
  await expect.poll(path).toContain('Q');
  const bent = await path();
  const nail = await page.locator('rect[data-piece^="nail:"]').boundingBox();
  if (!nail) throw new Error('no nail');
  await drag(page, { x: nail.x + nail.width / 2, y: nail.y + nail.height / 2 }, { x: nail.x, y: nail.y + 60 });
  await expect.poll(path).not.toBe(bent);
  // The nail that was moved is selected: deleting it leaves the edge.
  await page.keyboard.press('Delete');
  await expect.poll(path).toBe(straight);

  const label = page.locator('text.synchronisation', { hasText: 'go[id]?' });
  const before = await label.getAttribute('x');
  const box = await label.boundingBox();
  if (!box) throw new Error('no label');
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await drag(page, from, { x: from.x - 50, y: from.y });
  await expect.poll(() => label.getAttribute('x')).not.toBe(before);
  await page.keyboard.press('Control+z');
  await expect.poll(() => label.getAttribute('x')).toBe(before);

  // A band round everything selects it.
  const frame = await page.getByRole('application').boundingBox();
  if (!frame) throw new Error('no canvas');
  await drag(page, { x: frame.x + 5, y: frame.y + 60 }, { x: frame.x + frame.width - 150, y: frame.y + frame.height - 60 });
  await page.getByRole('heading', { name: '5 locations, 6 edges' }).waitFor();
});

test('everything can be drawn with the keyboard alone', async () => {
  const page = await open(empty);
  const before = await locations(page).count();
  const canvas = page.getByRole('application', { name: /^Template / });
  await canvas.focus();
  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  await expect.poll(() => locations(page).count()).toBe(before + 1);
  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  await expect.poll(() => locations(page).count()).toBe(before + 2);
  // The new one is selected: an edge from it to the one at its left.
  await page.keyboard.press('e');
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(() => edges(page).count()).toBe(1);
  await page.keyboard.press('F2');
  await page.keyboard.type('1 < 2');
  await page.keyboard.press('Enter');
  await expect.poll(() => edges(page).first().getAttribute('aria-label')).toContain('guard 1 < 2');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain('edge');

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+d');
  await expect.poll(() => locations(page).count()).toBe(2 * (before + 2));
  await page.keyboard.press('Delete');
  await expect.poll(() => locations(page).count()).toBe(before + 2);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => locations(page).count()).toBe(before + 2);
  // With nothing selected, Tab leaves the drawing.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect.poll(() => canvas.evaluate((element) => element.contains(document.activeElement))).toBe(false);
});

test('a mistake is underlined in the text, marked on its edge, and listed', async () => {
  const page = await open(train);
  await edges(page).filter({ hasText: '' }).first().focus();
  await page.keyboard.press('F2');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Guard' }).click();
  await page.keyboard.type('nowhere > 3');
  await expect.poll(() => edges(page).first().getAttribute('aria-label')).toContain('error');
  await page.getByRole('dialog').locator('.cm-lintRange-error').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  // Somewhere else, the list leads back.
  await page.getByRole('button', { name: 'Declarations', exact: true }).click();
  await problems(page).getByRole('button', { name: /nowhere/ }).first().click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Guard');
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('nowhere');

  // One history for everything, inside of texts, too.
  const undone = async (): Promise<string | null> => {
    await page.keyboard.press('Control+z');
    return edges(page).first().getAttribute('aria-label');
  };
  await expect.poll(undone, { interval: 500 }).not.toContain('guard');
  await expect.poll(() => edges(page).first().getAttribute('aria-label')).not.toContain('error');
});

test('a mistake in the declarations is underlined while it is typed, and names are completed', async () => {
  const page = await open(train);
  await page.getByRole('button', { name: 'Declarations', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Declarations' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('int m = nothere;');
  await page.locator('.cm-lintRange-error').first().waitFor();
  await problems(page).getByText(/nothere/).first().waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0);
  await page.keyboard.type('chan more[id');
  await page.getByRole('option', { name: /id_t/ }).click();
  await expect.poll(() => editor.textContent()).toContain('more[id_t');
});

test('templates are added, renamed, duplicated, reordered and deleted', async () => {
  const page = await open(train);
  const tree = page.getByRole('navigation', { name: 'Parts of the model' });
  const names = async (): Promise<string[]> =>
    (await tree.getByRole('button').allTextContents()).flatMap((name) => /^(Train|Gate2?|Barrier)/.exec(name.trim())?.[0] ?? []);
  await tree.getByRole('button', { name: 'Add a template' }).click();
  await page.keyboard.type('Barrier');
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['Train', 'Gate', 'Barrier']);
  await tree.getByRole('button', { name: 'Gate', exact: true }).click();
  await page.keyboard.press('Control+d');
  await expect.poll(names).toEqual(['Train', 'Gate', 'Gate2', 'Barrier']);
  await tree.getByRole('button', { name: 'Barrier', exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(names).toEqual(['Train', 'Gate', 'Barrier', 'Gate2']);
  await tree.getByRole('button', { name: 'Gate2', exact: true }).focus();
  await page.keyboard.press('Delete');
  await expect.poll(names).toEqual(['Train', 'Gate', 'Barrier']);
});

test('pieces are copied from one template to another, and laid out at a click', async () => {
  const page = await open(train);
  await page.getByRole('application').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.getByRole('button', { name: 'Gate', exact: true }).click();
  const [gate, between] = [await locations(page).count(), await edges(page).count()];
  await page.getByRole('application').focus();
  await page.keyboard.press('Control+v');
  await expect.poll(() => locations(page).count()).toBe(gate + 5);
  await expect.poll(() => edges(page).count()).toBe(between + 6);
  const place = (): Promise<string | null> => locations(page).first().getAttribute('transform');
  const before = await place();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await expect.poll(place).not.toBe(before);
  await page.keyboard.press('Control+z');
  await expect.poll(place).toBe(before);
});

test('a model that is written has a picture, and can go on as a drawing', async () => {
  const page = await open(text);
  const editor = page.getByRole('textbox', { name: 'Text of the model' });
  await expect.poll(() => editor.textContent()).toContain('process');
  await locations(page).first().waitFor();
  const drawn = await locations(page).count();
  await page.getByRole('button', { name: 'Draw it' }).click();
  await page.getByRole('toolbar', { name: 'Drawing' }).waitFor();
  await expect.poll(() => locations(page).count()).toBe(drawn);
  await page.keyboard.press('Control+z');
  await editor.waitFor();
});
