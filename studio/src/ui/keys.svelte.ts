// Keys and what they do. Views register theirs while they are shown; the overlay of help lists what is registered.

/** A key and what it does. */
export interface Binding {
  /** Such as `Ctrl+Z`, `Shift+ArrowLeft`, `?`. `Ctrl` is the command key on a Mac. */
  keys: string;
  /** What it does, for the overlay. */
  does: string;
  run: (event: KeyboardEvent) => void;
  /** Whether it also works while a text is being edited. */
  inText?: boolean;
}

const groups = $state<{ title: string; bindings: Binding[] }[]>([]);

/** The bindings of the views that are shown, by title. */
export function bindings(): readonly { title: string; bindings: readonly Binding[] }[] {
  return groups;
}

/** Registers bindings; call in `$effect` and return what it returns. */
export function bind(title: string, list: Binding[]): () => void {
  const group = { title, bindings: list };
  groups.push(group);
  return () => {
    const at = groups.findIndex((other) => other.bindings === group.bindings || other.title === title);
    if (at >= 0) groups.splice(at, 1);
  };
}

/** A key event in the words of a binding. */
export function wordsOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shifted = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shifted ? 'Shift+' : ''}${key}`;
}

function isText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Does what a key is bound to; later groups go first. */
export function press(event: KeyboardEvent): void {
  const words = wordsOf(event);
  const text = isText(event.target);
  for (const group of [...groups].reverse()) {
    const binding = group.bindings.find((one) => one.keys === words && (!text || one.inText));
    if (binding) {
      event.preventDefault();
      binding.run(event);
      return;
    }
  }
}
