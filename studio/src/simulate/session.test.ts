// Tests of session.svelte.ts, with a server that counts and can forget.

import { beforeEach, describe, expect, test, vi } from 'vitest';

import { Refusal } from '../api/client';
import type { SimulationRequest, SimulationStart, SimulationView } from '../api/types';
import { network, template, view } from './samples';

/** What the server was asked, and what it knows. */
const server = { asked: [] as string[], known: new Set<number>(), next: 1, moves: 0, at: 0, examinedHash: 'aa' };

function seen(id: number, change: Partial<SimulationView> = {}): SimulationView {
  return view(1, { id, position: server.at, length: server.moves, ...change });
}

vi.mock('../api/client', async (original) => {
  const real = await original<typeof import('../api/client')>();
  const gone = () => new real.Refusal('not-found', 'no such simulation', 404);
  return {
    ...real,
    examine: async () => ({ hash: server.examinedHash, diagnostics: [], network: network(1), picture: [], names: { global: [], templates: [], members: [] } }),
    simulate: async (hash: string, start: SimulationStart) => {
      const id = server.next++;
      server.known.add(id);
      server.moves = start.kind === 'path' ? start.path.split('_').filter(Boolean).length : start.kind === 'run' ? 5 : 0;
      server.at = start.kind === 'path' ? server.moves : 0;
      server.asked.push(`simulate ${hash} ${start.kind === 'path' ? start.path : start.kind}`);
      return seen(id);
    },
    command: async (id: number, { command }: SimulationRequest) => {
      if (!server.known.has(id)) throw gone();
      if (command.kind !== 'look') server.asked.push(`${command.kind}${command.kind === 'goto' ? ` ${command.position}` : ''}`);
      if (command.kind === 'step') server.moves = server.at += 1;
      if (command.kind === 'goto') server.at = command.position;
      return seen(id);
    },
    trace: async (id: number) => {
      if (!server.known.has(id)) throw gone();
      return { locations: [0], variables: [], steps: [], repeats_from: null, untimed: null };
    },
    path: async () => ({ mode: 'concrete', path: Array.from({ length: server.at }, () => '0').join('_') }),
    forget: async (id: number) => void (server.known.delete(id), server.asked.push('forget')),
  };
});

const { session } = await import('./session.svelte');
const { studio } = await import('../model/studio.svelte');

const settled = () => new Promise((done) => setTimeout(done, 5));

beforeEach(async () => {
  session.leave();
  await settled();
  Object.assign(server, { asked: [], known: new Set(), next: 1, moves: 0, at: 0, examinedHash: 'aa' });
  const drawing = { declarations: '', templates: [template('T')], instantiation: '', system: '', kept: { imports: '', charts: [], options: [] } };
  studio.show({ sheet: { name: 'm.xml', body: { kind: 'drawn', ...drawing }, queries: [] }, is_file: false, stamp: '', diagnostics: [] });
});

describe('a simulation', () => {
  test('begins, and goes on', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    await session.do({ kind: 'step', choice: 0, delay: null });
    expect(session.view).toMatchObject({ position: 1, length: 1 });
    await session.move(-1);
    expect(server.asked).toEqual(['simulate aa initial', 'step', 'goto 0']);
  });

  test('does one thing after another', async () => {
    await session.begin({ kind: 'run', mode: 'concrete', file: '{}' });
    await Promise.all([session.move(1), session.move(1), session.move(1)]);
    expect(server.asked.slice(1)).toEqual(['goto 1', 'goto 2', 'goto 3']);
  });

  test('does not go beyond its ends', async () => {
    await session.begin({ kind: 'run', mode: 'concrete', file: '{}' });
    await session.move(-1);
    await session.move(100);
    expect(server.asked.slice(1)).toEqual(['goto 5']);
  });

  test('begins again where it was when the server has forgotten it', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    await session.do({ kind: 'step', choice: 0, delay: null });
    await session.do({ kind: 'step', choice: 0, delay: null });
    await settled();
    await session.move(-1);
    server.known.clear();
    server.asked = [];
    await session.do({ kind: 'step', choice: 0, delay: null });
    expect(server.asked).toEqual(['simulate aa 0_0', 'goto 1', 'step']);
    expect(session.view?.position).toBe(2);
    expect(session.refused).toBe('');
  });

  test('says so when that does not help', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    const add = vi.spyOn(server.known, 'add').mockImplementation(() => server.known);
    server.known.clear();
    await session.do({ kind: 'step', choice: 0, delay: null });
    add.mockRestore();
    expect(session.refused).not.toBe('');
  });

  test('is forgotten when it is left, also while something is on its way', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    const step = session.do({ kind: 'step', choice: 0, delay: null });
    session.leave();
    await step;
    expect(session.view).toBeNull();
    expect(server.known.size).toBe(0);
    const begun = session.begin({ kind: 'initial', mode: 'concrete' });
    session.leave();
    await begun;
    await settled();
    expect(session.view).toBeNull();
    expect(server.known.size).toBe(0);
  });

  test('there is never more than one', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    await session.begin({ kind: 'initial', mode: 'concrete' });
    await settled();
    expect([...server.known]).toEqual([2]);
  });

  test('notices that the model has been edited', async () => {
    await session.begin({ kind: 'initial', mode: 'concrete' });
    expect(session.older).toBe(false);
    server.examinedHash = 'bb';
    studio.edit('edit', (sheet) => ({ ...sheet }));
    await studio.examineNow();
    expect(session.older).toBe(true);
    await session.begin(session.known!.start);
    expect(session.older).toBe(false);
  });

  test('says why it was refused', async () => {
    const api = await import('../api/client');
    const refuses = vi.spyOn(api, 'simulate').mockRejectedValueOnce(new Refusal('impossible', 'zones cannot hold it', 422));
    await session.begin({ kind: 'initial', mode: 'symbolic' });
    expect(session.errorMessage).toBe('zones cannot hold it');
    refuses.mockRestore();
  });
});
