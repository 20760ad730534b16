// The server's interface as functions. Everything that the page knows of a model's meaning comes through here.

import { Events } from './events';
import type {
  About, Arrange, Examined, Open, Opened, Path, Problem, RunEvent, RunRequest, Save, Saved, Sheet, SheetTemplate,
  SimulationRequest, SimulationStart, SimulationView, Status, Trace, Write, Written,
} from './types';

/** That the server refused, with its word for why and its sentence. */
export class Refusal extends Error {
  constructor(
    readonly word: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

const TOKEN = 'tourbillon.token';

/**
 * Takes the token out of the address, where the program puts it, and keeps it for this origin; whether the page has that
 * token now. Any page can lead here with a token of its own: one that the server refuses takes no other's place.
 */
export async function takeToken(): Promise<boolean> {
  const found = /^#token=([0-9A-Za-z_-]+)$/.exec(location.hash)?.[1];
  if (!found) return false;
  history.replaceState(null, '', location.pathname);
  const known = localStorage.getItem(TOKEN);
  if (known !== null && known !== found && !(await isGood(found))) return false;
  localStorage.setItem(TOKEN, found);
  return true;
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

async function isGood(token: string): Promise<boolean> {
  try {
    return (await fetch('/api/v1/about', { headers: bearer(token) })).ok;
  } catch {
    return false;
  }
}

async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  let response: Response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers: { ...bearer(localStorage.getItem(TOKEN) ?? ''), ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal('unreachable', 'The server does not answer: is `tourbillon studio` still running?', 0);
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new Refusal(
    problem?.error ?? 'broken',
    problem?.message ?? `The server answered with status ${response.status}.`,
    response.status,
  );
}

async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await call(method, path, body, signal)).json()) as T;
}

export const status = (): Promise<Status> => json('GET', 'status');
export const about = (): Promise<About> => json('GET', 'about');
export const open = (what: Open): Promise<Opened> => json('POST', 'open', what);
export const save = (what: Save): Promise<Saved> => json('PUT', 'file', what);
export const write = (what: Write): Promise<Written> => json('POST', 'write', what);
export const arrange = (what: Arrange): Promise<SheetTemplate> => json('POST', 'arrange', what);
export const examine = (sheet: Sheet, signal?: AbortSignal): Promise<Examined> => json('POST', 'models', sheet, signal);
export const sheetOf = (hash: string): Promise<Sheet> => json('GET', `models/${hash}`);

/** Starts a run and hands on what it tells. Aborting the signal ends it without an answer; `stopRun` asks for one. */
export async function run(
  hash: string,
  what: RunRequest,
  tell: (event: RunEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await call('POST', `models/${hash}/runs`, what, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new Events();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const data of events.take(value)) tell(JSON.parse(data) as RunEvent);
  }
}

export const stopRun = async (run: number): Promise<void> => void (await call('POST', `runs/${run}/stop`));

export const simulate = (hash: string, start: SimulationStart): Promise<SimulationView> =>
  json('POST', `models/${hash}/simulations`, start);
export const command = (id: number, what: SimulationRequest): Promise<SimulationView> =>
  json('POST', `simulations/${id}`, what);
export const trace = (id: number): Promise<Trace> => json('GET', `simulations/${id}/trace`);
export const path = (id: number): Promise<Path> => json('GET', `simulations/${id}/path`);
export const runFile = async (id: number): Promise<string> => (await call('GET', `simulations/${id}/file`)).text();
export const forget = async (id: number): Promise<void> => void (await call('DELETE', `simulations/${id}`));
