// Opening, saving and downloading models. Whatever would lose unsaved work asks first.

import * as api from '../api/client';
import type { Open, Sheet, SheetQuery, Told } from '../api/types';
import { studio } from '../model/studio.svelte';
import { handover } from '../simulate/handover.svelte';
import { ask, dismiss, notify } from '../ui/dialog.svelte';
import { counted, shortened } from '../ui/format';
import { giveFile } from '../ui/give';
import { go } from '../ui/route.svelte';
import { trying } from '../ui/trying';
import { inOrder, kindOf, languageOf } from './kinds';
import { readQueries, writeQueries } from './queryfile';

/** Does something that can fail, and says so at the bottom of the page if it does. */
function orSay<T>(what: () => Promise<T>): Promise<T | null> {
  studio.errorMessage = '';
  return trying(what, (why) => (studio.errorMessage = why));
}

/** Whether the model that is shown may give way to another. */
export async function mayLeave(): Promise<boolean> {
  if (!studio.dirty) return true;
  const answer = await ask({
    title: 'There is unsaved work',
    text: `The changes to ${shortened(studio.sheet?.name ?? '', 60)} are lost if another model is opened.`,
    answers: [{ value: 'stay', text: 'Stay here' }, { value: 'lose', text: 'Lose them' }, { value: 'keep', text: howToKeep(), primary: true }],
  });
  return answer === 'lose' || (answer === 'keep' && keepElsewhere());
}

/** What keeping the work before it gives way comes to. */
function howToKeep(): string {
  const rest = studio.sheet && !hasRoom(studio.sheet) ? ', download the queries' : '';
  return `${studio.isFile ? 'Save' : 'Download'}${rest}, then continue`;
}

/** Whether all of the work is where it can be read again. */
async function keepElsewhere(): Promise<boolean> {
  const { sheet } = studio;
  if (!sheet) return true;
  if (!(studio.isFile ? await isSaved(sheet) : await download(languageOf(sheet.name)))) return false;
  if (!hasRoom(sheet)) giveQueries(sheet);
  return true;
}

/** Saves the model; whether its file holds all of it that it has room for. */
async function isSaved(sheet: Sheet): Promise<boolean> {
  const rest = (): boolean => studio.onlyQueriesDirty && !hasRoom(sheet);
  if (!rest()) await save();
  return !studio.dirty || rest();
}

/** Whether the file of a model holds its queries, as far as is known before it is written. */
function hasRoom(sheet: Sheet): boolean {
  return sheet.body.kind === 'drawn' || sheet.queries.length === 0;
}

/** Opens a model in place of the one that is shown. */
export async function open(what: Open): Promise<void> {
  if (!(await mayLeave())) return;
  await orSay(async () => {
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
      studio.errorMessage = `${shortened(file.name, 60)} is not a model (.xml, .xta, .ta, .tck), a query file (.q) or a run (.json, .xtr).`;
    } else if (file.size > limit) {
      studio.errorMessage = `${shortened(file.name, 60)} is larger than the server allows (${limit} bytes).`;
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
    studio.errorMessage = 'The file has no queries.';
    return;
  }
  studio.edit(`add ${counted(queries.length, 'query', 'queries')}`, (sheet) => ({ ...sheet, queries: [...sheet.queries, ...queries] }));
  go('verify');
}

/** Saves to the file that the model came from; a model that came from elsewhere is downloaded. */
export async function save(): Promise<void> {
  const sheet = studio.sheet;
  if (!sheet) return;
  if (!studio.isFile) return void (await download(languageOf(sheet.name)));
  if (studio.about?.file && !studio.about.file.writable) {
    studio.errorMessage = `${studio.about.file.name} cannot be written: download the model instead.`;
    return;
  }
  await orSay(() => saveOver(studio.origin.stamp));
}

async function saveOver(stamp: string): Promise<void> {
  const { sheet, opened } = studio;
  if (!sheet) return;
  try {
    const { stamp: now, queries_kept: queriesKept } = await api.save({ sheet, stamp });
    // Another model may have been opened meanwhile, of which nothing was saved.
    if (studio.opened === opened) studio.markSaved(now, sheet, queriesKept);
    tellSaved(sheet, queriesKept);
  } catch (error) {
    if (!(error instanceof api.Refusal) || error.word !== 'changed') throw error;
    if (studio.opened === opened) await settleConflict(error.message);
  }
}

function tellSaved(sheet: Sheet, queriesKept: boolean): void {
  if (queriesKept) return notify(`Saved ${sheet.name}.`);
  const actions = [{ text: 'Download them (.q)', run: () => giveQueries(sheet) }];
  notify(`Saved ${sheet.name}, but not its queries: a text has no room for them.`, actions);
}

async function settleConflict(message: string): Promise<void> {
  const { opened } = studio;
  const answer = await ask({
    title: 'The file was changed elsewhere',
    text: message,
    answers: [
      { value: 'download', text: 'Download mine' },
      { value: 'reload', text: 'Take theirs' },
      { value: 'overwrite', text: 'Overwrite with mine' },
    ],
  });
  if (studio.opened !== opened) return;
  if (answer === 'overwrite') await saveOver('');
  if (answer === 'reload') studio.show(await api.open({ from: 'file' }));
  if (answer === 'download') await download(languageOf(studio.sheet?.name ?? ''));
}

/** Downloads the queries of the model as a file of their own. */
export function downloadQueries(): void {
  if (studio.sheet) giveQueries(studio.sheet);
}

function giveQueries(sheet: Sheet): void {
  giveFile(`${sheet.name.replace(/\.\w+$/, '')}.q`, writeQueries(sheet.queries));
}

/** Downloads the model in a language, after telling what that language cannot hold. Whether there is a file now. */
export async function download(to: 'xml' | 'xta' | 'tck'): Promise<boolean> {
  const sheet = studio.sheet;
  if (!sheet) return false;
  const given = await orSay(async () => {
    const written = await api.write({ sheet, to });
    if (written.text === null) {
      const text = 'Nothing was written:';
      await ask({ title: `This model cannot be written as ${to.toUpperCase()}`, text, told: written.diagnostics, answers: [{ value: 'ok', text: 'Close' }] });
      return false;
    }
    if (written.diagnostics.length > 0 && !(await mayLose(to, written.diagnostics))) return false;
    giveFile(written.name, written.text);
    return true;
  });
  return given ?? false;
}

async function mayLose(to: string, told: readonly Told[]): Promise<boolean> {
  const answer = await ask({
    title: `Some elements cannot be written in ${to.toUpperCase()}`,
    text: 'The file will not have these:',
    told,
    answers: [{ value: 'no', text: 'Cancel' }, { value: 'yes', text: 'Download it anyway', primary: true }],
  });
  return answer === 'yes';
}
