// Opening, saving and downloading models. Whatever would lose unsaved work asks first.

import * as api from '../api/client';
import type { Open, SheetQuery, Told } from '../api/types';
import { studio } from '../model/studio.svelte';
import { handover } from '../simulate/handover.svelte';
import { ask, dismiss, notify } from '../ui/dialog.svelte';
import { counted, shortened } from '../ui/format';
import { go } from '../ui/route.svelte';
import { inOrder, kindOf, languageOf } from './kinds';
import { readQueries, writeQueries } from './queryfile';

/** Does something that can fail, and says so at the bottom of the page if it does. */
async function trying(what: () => Promise<void>): Promise<void> {
  try {
    studio.trouble = '';
    await what();
  } catch (error) {
    studio.trouble = (error as Error).message;
  }
}

/** Whether the model that is shown may give way to another. */
export async function mayLeave(): Promise<boolean> {
  if (!studio.dirty) return true;
  const keep = studio.origin.isFile ? { value: 'save', text: 'Save, then go on' } : { value: 'download', text: 'Download, then go on' };
  const answer = await ask({
    title: 'There is unsaved work',
    text: `The changes to ${shortened(studio.sheet?.name ?? '', 60)} are lost when another model takes its place.`,
    answers: [{ value: 'stay', text: 'Stay here' }, { value: 'lose', text: 'Lose them' }, { ...keep, primary: true }],
  });
  if (answer === 'save') await save();
  if (answer === 'download') await download(languageOf(studio.sheet?.name ?? ''));
  return answer === 'lose' || answer === 'download' || (answer === 'save' && !studio.dirty);
}

/** Opens a model in place of the one that is shown. */
export async function open(what: Open): Promise<void> {
  if (!(await mayLeave())) return;
  await trying(async () => {
    studio.show(await api.open(what));
    dismiss();
  });
}

/** Opens files from the machine of the person: a model, queries to be added, a run for the simulator. */
export async function openFiles(files: readonly File[]): Promise<void> {
  for (const file of inOrder(files)) {
    const kind = kindOf(file.name);
    const limit = studio.about?.limits.body_bytes ?? Infinity;
    if (kind === null) {
      studio.trouble = `${shortened(file.name, 60)} is no model (.xml, .xta, .ta, .tck), no queries (.q) and no run (.json, .xtr).`;
    } else if (file.size > limit) {
      studio.trouble = `${shortened(file.name, 60)} is larger than the server allows (${limit} bytes).`;
    } else {
      await openText(kind, file.name, await file.text());
    }
  }
}

async function openText(kind: 'model' | 'queries' | 'run', name: string, text: string): Promise<void> {
  if (kind === 'model') return open({ from: 'text', name, text });
  if (kind === 'queries') return addQueries(readQueries(text));
  handover.pendingRun = { file: text, title: name };
  go('simulate');
}

function addQueries(queries: readonly SheetQuery[]): void {
  if (queries.length === 0) {
    studio.trouble = 'There is no query in that file.';
    return;
  }
  studio.edit(`add ${counted(queries.length, 'query', 'queries')}`, (sheet) => ({ ...sheet, queries: [...sheet.queries, ...queries] }));
  go('verify');
}

/** Saves to the file that the model came from; a model that came from elsewhere is downloaded. */
export async function save(): Promise<void> {
  const sheet = studio.sheet;
  if (!sheet) return;
  if (!studio.origin.isFile) return download(languageOf(sheet.name));
  if (studio.about?.file && !studio.about.file.writable) {
    studio.trouble = `${studio.about.file.name} cannot be written: download the model instead.`;
    return;
  }
  await trying(() => saveOver(studio.origin.stamp));
}

async function saveOver(stamp: string): Promise<void> {
  const sheet = studio.sheet;
  if (!sheet) return;
  try {
    const saved = await api.save({ sheet, stamp });
    studio.markSaved(saved.stamp, sheet);
    notify(`Saved ${sheet.name}.`);
  } catch (error) {
    if (!(error instanceof api.Refusal) || error.word !== 'changed') throw error;
    await settleConflict(error.message);
  }
}

async function settleConflict(message: string): Promise<void> {
  const answer = await ask({
    title: 'The file was changed by somebody else',
    text: message,
    answers: [
      { value: 'download', text: 'Download mine' },
      { value: 'reload', text: 'Take theirs' },
      { value: 'overwrite', text: 'Overwrite with mine' },
    ],
  });
  if (answer === 'overwrite') await saveOver('');
  if (answer === 'reload') studio.show(await api.open({ from: 'file' }));
  if (answer === 'download') await download(languageOf(studio.sheet?.name ?? ''));
}

/** Gives the person a file. */
export function giveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Browsers fetch the address after the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Downloads the queries of the model as a file of their own. */
export function downloadQueries(): void {
  const sheet = studio.sheet;
  if (sheet) giveFile(`${sheet.name.replace(/\.\w+$/, '')}.q`, writeQueries(sheet.queries));
}

/** Downloads the model in a language, after telling what that language cannot hold. */
export async function download(to: 'xml' | 'xta' | 'tck'): Promise<void> {
  const sheet = studio.sheet;
  if (!sheet) return;
  await trying(async () => {
    const written = await api.write({ sheet, to });
    if (written.text === null) {
      const text = 'Nothing was written:';
      await ask({ title: `This model cannot be written as ${to.toUpperCase()}`, text, told: written.diagnostics, answers: [{ value: 'ok', text: 'Close' }] });
    } else if (written.diagnostics.length === 0 || (await mayLose(to, written.diagnostics))) {
      giveFile(written.name, written.text);
    }
  });
}

async function mayLose(to: string, told: readonly Told[]): Promise<boolean> {
  const answer = await ask({
    title: `Some things cannot be kept in ${to.toUpperCase()}`,
    text: 'The file will be without these:',
    told,
    answers: [{ value: 'no', text: 'Cancel' }, { value: 'yes', text: 'Download it anyway', primary: true }],
  });
  return answer === 'yes';
}
