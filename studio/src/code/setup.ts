// What a code editor can do, put together from CodeMirror's parts. Its history is not among them: there is one history
// for the whole model, and an editor only shows what the sheet says.

import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab, insertNewline } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
  type KeyBinding,
} from '@codemirror/view';

import { studio } from '../model/studio.svelte';

/** How large an editor is: a line or few in a form, or all of a view. */
export type Size = 'field' | 'full';

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--ground)', fontSize: '0.94em' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--accent) 28%, var(--ground))',
  },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--accent-ground) 35%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-ground)', color: 'var(--text)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-ground)', outline: '1px solid var(--accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--changed-ground)' },
  '.cm-searchMatch': { backgroundColor: 'var(--changed-ground)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--warn-ground)' },
  '.cm-placeholder': { color: 'var(--soft)', fontStyle: 'italic' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.4em 0.6em', fontFamily: 'var(--sans)' },
  '.cm-panel.cm-search label': { fontSize: '0.92em' },
  '.cm-panel.cm-search [name=close]': { fontSize: '1.3em', padding: '0 0.4em' },
  '.cm-button, .cm-textfield': { fontSize: '0.92em' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-textfield': { backgroundColor: 'var(--ground)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '8px', boxShadow: '0 4px 16px #0003', overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-ground)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { padding: '0.5em 0.7em', borderLeft: '4px solid var(--soft)', maxWidth: '46em', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1.5px', textDecorationSkipInk: 'none', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--soft)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--bad)' },
});

const form = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '6px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-content': { padding: '0.25em 0' },
  '.cm-line': { padding: '0 0.5em' },
  '.cm-scroller': { maxHeight: '14em', overflow: 'auto' },
});

const whole = EditorView.theme({ '&': { height: '100%' }, '.cm-scroller': { overflow: 'auto' } });

const historyKeys: KeyBinding[] = [
  { key: 'Mod-z', run: () => (studio.undo(), true), stopPropagation: true },
  { key: 'Mod-y', run: () => (studio.redo(), true), stopPropagation: true },
  { key: 'Mod-Shift-z', run: () => (studio.redo(), true), stopPropagation: true },
];

/** In a form, Enter and Escape end the editing of a text; a new line is made with Shift. */
function formKeys(done: () => boolean): KeyBinding[] {
  const unless = (view: EditorView): boolean => completionStatus(view.state) !== 'active' && done();
  return [
    { key: 'Enter', run: unless, shift: insertNewline },
    { key: 'Escape', run: unless },
  ];
}

/** The extensions of an editor. `done` ends the editing of a text in a form, if there is anything to end. */
export function setup(size: Size, label: string, done: () => boolean, more: Extension): Extension {
  const keys = [
    ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...completionKeymap,
    { key: 'Tab', run: acceptCompletion },
    { key: 'F8', run: nextDiagnostic },
    { key: 'Shift-F8', run: previousDiagnostic },
  ];
  return [
    Prec.high(keymap.of([...historyKeys, ...(size === 'field' ? formKeys(done) : [])])),
    keymap.of(size === 'full' ? [...keys, indentWithTab] : keys),
    highlightSpecialChars(), drawSelection(), bracketMatching(), closeBrackets(), search({ top: true }),
    indentUnit.of('    '), EditorState.tabSize.of(4), EditorState.allowMultipleSelections.of(true),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off' }),
    size === 'full'
      ? [lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), indentOnInput(), lintGutter(), whole]
      : [EditorView.lineWrapping, form],
    look, more,
  ];
}
