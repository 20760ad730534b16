// A server with files of its own, and a browser: what every test in a browser needs.

import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../..');

/** The examples of the project. */
export const EXAMPLES = join(ROOT, 'examples');

/** Where pictures of the views go: into the project if they are to be made anew, else to where nobody looks. */
const PICTURES = process.env['UPDATE_SCREENSHOTS'] ? join(ROOT, 'docs/images') : mkdtempSync(join(tmpdir(), 'studio-pictures-'));

function command(): string {
  const target = resolve(ROOT, process.env['CARGO_TARGET_DIR'] ?? 'target');
  const candidates = [process.env['TOURBILLON'], join(target, 'debug/tourbillon'), join(target, 'release/tourbillon')];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (!found) throw new Error(`no tourbillon found: cargo build -p tourbillon-cli (looked in ${target})`);
  return found;
}

/** A running server. */
export class Server {
  private constructor(
    private readonly process: ChildProcess,
    /** `http://127.0.0.1:PORT`. */
    readonly origin: string,
    readonly token: string,
    /** The copy of the model that it was started with, in a folder of its own. */
    readonly file: string | null,
    private readonly folder: string,
  ) {}

  /** Starts one with a copy of a file, or without any. */
  static async start(model: string | null = null, ...options: string[]): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), 'studio-'));
    const file = model === null ? null : join(folder, model.split('/').at(-1) ?? 'model.xml');
    if (model !== null && file !== null) copyFileSync(model, file);
    const given = file === null ? [] : [file];
    const child = spawn(command(), ['studio', ...given, '--no-open', '--port', '0', ...options], { stdio: 'pipe' });
    const address = await new Promise<string>((done, fail) => {
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
        const found = /http:\/\/[\w.:[\]]+\/#token=[\w-]+/.exec(text);
        if (found) done(found[0]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('exit', (status) => fail(new Error(`the server ended with status ${status}: ${text}`)));
    });
    const [origin, token] = address.split('/#token=') as [string, string];
    return new Server(child, origin, token, file, folder);
  }

  get address(): string {
    return `${this.origin}/#token=${this.token}`;
  }

  /** A call of the interface from outside any browser. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.process.on('exit', done));
    this.process.kill('SIGINT');
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let browser: Browser | null = null;

async function theBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--font-render-hinting=none'];
  browser ??= await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args });
  return browser;
}

/** Ends the browser; for the end of a file of tests. */
export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = null;
}

/** A page of a server, with what went wrong in it. */
export interface Opened {
  page: Page;
  context: BrowserContext;
  /** Errors of scripts, refused resources, and requests to other machines: empty at the end of every test. */
  faults: string[];
}

/** Opens the page of a server, in a browser that knows nothing yet. */
export async function openPage(server: Server, scheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const context = await (await theBrowser()).newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: scheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
  });
  await page.goto(server.address);
  return { page, context, faults };
}

/** Takes a picture of a view for the README. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
