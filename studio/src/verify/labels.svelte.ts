// Questions of labels, which TChecker's models have instead of queries. Their files have no room for them, so the
// browser keeps them, by the name of the model.

const KEY = 'tourbillon.labels';
const MODELS_MAX = 50;

type Kept = Record<string, string[]>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const isList = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => isList(value)));
  } catch {
    return {};
  }
}

class LabelQuestions {
  #kept = $state.raw<Kept>(read());

  /** The questions about a model: labels separated by commas. */
  of(model: string): readonly string[] {
    return this.#kept[model] ?? [''];
  }

  set(model: string, questions: string[]): void {
    const { [model]: _, ...others } = this.#kept;
    this.#kept = Object.fromEntries([...Object.entries(others), [model, questions] as const].slice(-MODELS_MAX));
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // They hold until the page is closed.
    }
  }
}

export const labelQuestions = new LabelQuestions();
