// That no page elsewhere can drive the studio, and that hostile models do no harm.

import { createServer, type Server as HttpServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closeBrowser, EXAMPLES, openPage, Server } from './harness';

let server: Server;
let foreign: HttpServer;
let foreignOrigin: string;

beforeAll(async () => {
  server = await Server.start(`${EXAMPLES}/train-gate.xml`);
  foreign = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><p>elsewhere'));
  await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
  foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await closeBrowser();
  foreign.close();
  await server.stop();
});

test('a page of another origin reads nothing and changes nothing, even if it knows the token', async () => {
  const before = readFileSync(server.file ?? '');
  const { page: own, context } = await openPage(server);
  await own.getByText('No problems').waitFor();
  const page = await context.newPage();
  await page.goto(foreignOrigin);
  const kept = async (): Promise<unknown> => {
    const { runs, simulations, models } = (await (await server.call('GET', 'status')).json()) as Record<string, number>;
    return { runs, simulations, models };
  };
  const keptBefore = await kept();
  const tries = await page.evaluate(
    async ([origin, token]) => {
      const attempt = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(`${origin}${path}`, init);
          return `${response.type} ${response.status} ${(await response.text()).length}`;
        } catch {
          return 'refused';
        }
      };
      const bearer = { Authorization: `Bearer ${token}` };
      const json = { ...bearer, 'Content-Type': 'application/json' };
      const sheet = { name: 'evil.xml', body: { kind: 'text', text: 'evil' }, queries: [] };
      return [
        await attempt('/api/v1/about', { headers: bearer }),
        await attempt('/api/v1/about', { mode: 'no-cors' }),
        await attempt('/api/v1/open', { method: 'POST', headers: json, body: '{"from":"file"}' }),
        await attempt('/api/v1/open', { method: 'POST', mode: 'no-cors', body: '{"from":"file"}' }),
        await attempt('/api/v1/models', { method: 'POST', mode: 'no-cors', body: JSON.stringify(sheet) }),
        await attempt('/api/v1/file', { method: 'PUT', headers: json, body: JSON.stringify({ sheet, stamp: '' }) }),
        await attempt('/', { mode: 'no-cors' }),
      ];
    },
    [server.origin, server.token] as const,
  );
  // Not even the opaque answers that browsers otherwise give to such requests.
  expect(tries).toEqual(tries.map(() => 'refused'));
  expect(await kept()).toEqual(keptBefore);
  expect(readFileSync(server.file ?? '')).toEqual(before);

  const answer = await server.call('GET', 'about', undefined, { Origin: foreignOrigin });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  await context.close();
});

test('the page cannot be put into a frame elsewhere', async () => {
  const { context } = await openPage(server);
  const page = await context.newPage();
  await page.goto(foreignOrigin);
  await page.evaluate((address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    document.body.append(frame);
  }, server.address);
  await page.waitForTimeout(500);
  const inside = page.frames().find((frame) => frame.parentFrame() !== null);
  expect(await inside?.locator('main').count().catch(() => 0)).toBe(0);
  await context.close();
});

test('a name elsewhere that is made to mean this machine is not answered', async () => {
  const port = new URL(server.origin).port;
  const rebound = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
  });
  try {
    const page = await rebound.newPage();
    const response = await page.goto(`http://evil.example:${port}/`);
    expect(response?.status()).toBe(403);
    const status = await page.evaluate(
      async (token) => (await fetch('/api/v1/about', { headers: { Authorization: `Bearer ${token}` } })).status,
      server.token,
    );
    expect(status).toBe(403);
  } finally {
    await rebound.close();
  }
});

test('without the token there is a page that says what to do, and nothing else', async () => {
  expect((await server.call('GET', 'about', undefined, { Authorization: '' })).status).toBe(401);
  const { page, context } = await openPage(server);
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(`${server.origin}/`);
  await page.getByText(/address .*tourbillon studio.* printed/i).waitFor();
  await context.close();
});

test('the printed address counts when it is pasted into an open page, and no other token takes its place', async () => {
  const { page, context } = await openPage(server);
  const ready = (): Promise<void> => page.getByText('train-gate.xml').first().waitFor();
  await ready();
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(`${server.origin}/`);
  await page.getByText(/address .*tourbillon studio.* printed/i).waitFor();
  await page.evaluate((token) => { location.hash = `token=${token}`; }, server.token);
  await ready();
  await page.goto('about:blank');
  await page.goto(`${server.origin}/#token=0000`);
  await ready();
  expect(new URL(page.url()).hash).toBe('');
  await context.close();
});

test('names with markup are shown as they are, and run nothing', async () => {
  const { page, context, faults } = await openPage(server);
  const evil = `<img src=x onerror="document.title='owned'">`;
  const escaped = evil.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const model = `<?xml version="1.0"?><nta><declaration>// ${escaped}</declaration><template><name>${escaped}</name>
    <location id="id0" x="2000000000" y="-2000000000"><name>${escaped}</name><label kind="comments">${escaped}</label></location>
    <location id="id1" x="-2147483648" y="2147483647"/><init ref="id0"/>
    <transition><source ref="id0"/><target ref="id1"/><label kind="guard">${escaped}</label></transition></template>
    <system>system ${escaped};</system><queries><query><formula>${escaped}</formula><comment>${escaped}</comment></query></queries></nta>`;
  await page.locator('input[type=file]').first().setInputFiles({
    name: `${evil.replaceAll('/', '')}.xml`,
    mimeType: 'text/xml',
    buffer: Buffer.from(model),
  });
  await page.getByText('onerror').first().waitFor();
  for (const view of ['verify', 'simulate', 'coverage', 'graph', 'edit']) {
    await page.evaluate((hash) => { location.hash = hash; }, `#/${view}`);
    await page.waitForTimeout(300);
    expect(await page.title()).not.toBe('owned');
  }
  expect(faults).toEqual([]);
  await context.close();
});
