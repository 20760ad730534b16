// Opening, saving, downloading and keeping models.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, Server, type Opened } from './harness';

let server: Server;
let opened: Opened;

beforeEach(async () => {
  server = await Server.start(`${EXAMPLES}/train-gate.xml`);
  opened = await openPage(server);
  await opened.page.getByText('train-gate.xml').waitFor();
});

afterEach(async () => {
  await opened.context.close();
  await server.stop();
  expect(opened.faults).toEqual([]);
});

afterAll(closeBrowser);

const file = (): string => readFileSync(server.file ?? '', 'utf8');

async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('menu').getByText(name, { exact: true }).last().click();
}

/** Adds a query, which makes the model differ from its file. */
async function change(page: Page, formula: string): Promise<void> {
  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.keyboard.type(formula);
  await page.getByRole('img', { name: 'Unsaved changes' }).waitFor();
}

test('every example opens without errors', async () => {
  const { page } = opened;
  const about = (await (await server.call('GET', 'about')).json()) as { examples: { name: string }[] };
  expect(about.examples.length).toBeGreaterThan(5);
  for (const { name } of about.examples) {
    await openExample(page, name);
    await page.waitForFunction((title) => document.title === title, name);
    await page.getByText('No problems').waitFor();
  }
});

test('a model is saved with Ctrl+S, and the file that nothing was changed in stays as it is', async () => {
  const { page } = opened;
  const before = file();
  await page.keyboard.press('Control+S');
  await page.getByText('Saved train-gate.xml.').waitFor();
  expect(file()).toBe(before);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await change(page, 'E<> true');
  await page.keyboard.press('Control+S');
  await page.getByText('Saved train-gate.xml.').waitFor();
  expect(file()).toContain('E&lt;&gt; true');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.keyboard.press('Control+S');
  await page.waitForFunction(() => !document.title.startsWith('•'));
  expect(file().match(/<query>/g)?.length).toBe(before.match(/<query>/g)?.length);
});

test('queries that a text has no room for stay unsaved, and are there after a reload', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-text-'));
  writeFileSync(join(folder, 'lamp.xta'), 'process Lamp() { clock x; state Off, On; init Off; trans Off -> On { guard x > 2; }; }\nsystem Lamp;\n');
  const text = await Server.start(join(folder, 'lamp.xta'));
  const other = await openPage(text);
  const { page } = other;
  try {
    await page.waitForFunction(() => document.title === 'lamp.xta');
    await change(page, 'E<> true');
    await page.keyboard.press('Control+S');
    await page.getByText('Saved lamp.xta, but not its queries').waitFor();
    await expect.poll(() => page.title()).toBe('• lamp.xta');
    const [queries] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download them (.q)' }).click()]);
    expect(queries.suggestedFilename()).toBe('lamp.q');
    await page.reload();
    await page.getByText('Unsaved work was restored.').waitFor();
    await page.keyboard.press('Alt+2');
    await page.getByText('E<> true').waitFor();
    // A drawing is no text: it is not written into the file of one, until it is undone.
    await page.keyboard.press('Alt+1');
    await page.getByRole('button', { name: 'Draw it' }).click();
    await page.waitForFunction(() => document.title === '• lamp.xml');
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).getAttribute('title')).toMatch(/^Download it/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).getAttribute('title')).toMatch(/^Save to lamp.xta/);
    await openExample(page, 'fischer.xml');
    const [before] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save, download the queries, then continue' }).click()]);
    expect(before.suggestedFilename()).toBe('lamp.q');
    await page.waitForFunction(() => document.title === 'fischer.xml');
    expect(other.faults).toEqual([]);
  } finally {
    await other.context.close();
    await text.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a tab that has nothing to lose leaves the unsaved work of another alone', async () => {
  const { page, context } = opened;
  const other = await context.newPage();
  await other.goto(server.origin);
  await other.waitForFunction(() => document.title === 'train-gate.xml');
  await change(page, 'E<> true');
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('tourbillon.work/')));
  await openExample(other, 'fischer.xml');
  await other.waitForFunction(() => document.title === 'fischer.xml');
  await other.close();
  await page.reload();
  await page.getByText('Unsaved work was restored.').waitFor();
  await expect.poll(() => page.title()).toBe('• train-gate.xml');
});

test('a file that somebody else changed is not overwritten unasked', async () => {
  const { page } = opened;
  await change(page, 'E<> true');
  writeFileSync(server.file ?? '', file().replace('<nta>', '<nta><!-- theirs -->'));
  await page.keyboard.press('Control+S');
  await page.getByRole('heading', { name: 'The file was changed elsewhere' }).waitFor();
  // The browser notes that the server refused, as it should.
  expect(opened.faults.splice(0).join()).toMatch(/^Failed to load resource.*409/);
  expect(file()).toContain('theirs');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByText('Saved train-gate.xml.').waitFor();
  expect(file()).not.toContain('theirs');
});

test('unsaved work survives a reload, and can be given up', async () => {
  const { page } = opened;
  await change(page, 'E<> true');
  await page.reload();
  await page.getByText('Unsaved work was restored.').waitFor();
  await page.keyboard.press('Alt+2');
  await page.getByText('E<> true').waitFor();
  await page.getByRole('button', { name: 'Go back to train-gate.xml' }).click();
  await page.getByRole('button', { name: 'Lose them' }).click();
  await page.waitForFunction(() => document.title === 'train-gate.xml');
  await expect.poll(() => page.getByText('E<> true').count()).toBe(0);
});

test('another model takes the place of unsaved work only if that is said', async () => {
  const { page } = opened;
  await change(page, 'E<> true');
  await openExample(page, 'fischer.xml');
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expect.poll(() => page.title()).toBe('• train-gate.xml');
  await openExample(page, 'fischer.xml');
  await page.getByRole('button', { name: 'Lose them' }).click();
  await page.waitForFunction(() => document.title === 'fischer.xml');
});

test('work that was to be downloaded, but was not, is not given up', async () => {
  const { page } = opened;
  await openExample(page, 'train-gate.xml');
  await change(page, 'E<> true');
  await page.route('**/api/v1/write', (route) => route.abort());
  await openExample(page, 'fischer.xml');
  await page.getByRole('button', { name: 'Download, then continue' }).click();
  await page.getByRole('alert').getByText('The server does not answer').waitFor();
  await expect.poll(() => page.title()).toBe('• train-gate.xml');
  expect(opened.faults.splice(0).join()).toMatch(/ERR_FAILED/);
});

test('a server that has forgotten the model is told it again', async () => {
  const { page } = opened;
  await page.getByText('No problems').waitFor();
  let refused = 0;
  await page.route('**/api/v1/models/*/runs', (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    return route.fulfill({ status: 404, json: { error: 'unknown-model', message: 'this model is not known' } });
  });
  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Formula of query 1' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article', { name: 'Answer' }).getByText('as expected').waitFor();
  expect(refused).toBe(2);
  expect(opened.faults.splice(0).join()).toMatch(/^Failed to load resource.*404/);
});

test('undo and redo say what they do', async () => {
  const { page } = opened;
  await change(page, 'E<> true');
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.poll(() => undo.getAttribute('title')).toMatch(/^Undo: .*query/);
  await undo.click();
  await undo.click();
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole('img', { name: 'Unsaved changes' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('img', { name: 'Unsaved changes' }).waitFor();
});

test('a model is downloaded, and what a language cannot hold is said before', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Download' }).click();
  const [xml] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'UPPAAL XML' }).click()]);
  expect(xml.suggestedFilename()).toBe('train-gate.xml');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'TChecker' }).click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('models, queries and other files can be dropped', async () => {
  const { page } = opened;
  const drop = (name: string, text: string): Promise<void> =>
    page.evaluate(
      ([name, text]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text ?? ''], name ?? ''));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      },
      [name, text],
    );
  await drop('fischer.tck', readFileSync(`${EXAMPLES}/fischer.tck`, 'utf8'));
  await page.waitForFunction(() => document.title === 'fischer.tck');
  await drop('train-gate.xml', readFileSync(`${EXAMPLES}/train-gate.xml`, 'utf8'));
  await page.waitForFunction(() => document.title === 'train-gate.xml');
  await drop('more.q', '/* Dropped. EXPECT:T */\nE<> true\n');
  await page.getByText('Dropped.').waitFor();
  await drop('picture.png', '');
  await page.getByRole('alert').getByText('picture.png is not a model').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
});

test('colours and the size of type are kept, and help lists the keys', async () => {
  const { page } = opened;
  await page.keyboard.press('Alt++');
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.reload();
  await page.getByText('train-gate.xml').waitFor();
  const root = page.locator('html');
  await expect.poll(() => root.getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => root.getAttribute('style')).toContain('16px');
  await page.locator('body').press('?');
  await page.getByRole('dialog').getByText('Ctrl+Shift+Z').waitFor();
  await page.getByRole('dialog').getByText('/api/v1/').waitFor();
  await page.keyboard.press('Escape');
});
