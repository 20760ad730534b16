// How the page looks: its scheme of colours and the size of its type. Kept in the browser.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Sizes of type in pixels; the larger ones are for projectors. */
export const SIZES = [12, 14, 16, 18, 21, 25] as const;

/** The size of type before another is chosen: a window with that many pixels is a large screen that scales nothing. */
function usualSize(): number {
  if (innerWidth >= 3400) return 21;
  return innerWidth >= 2500 ? 16 : 14;
}

const KEY = 'tourbillon.look';

interface Look {
  theme: Theme;
  size: number;
}

function read(): Look {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Look>;
    return {
      theme: THEMES.find((theme) => theme === kept.theme) ?? 'system',
      size: SIZES.find((size) => size === kept.size) ?? usualSize(),
    };
  } catch {
    return { theme: 'system', size: usualSize() };
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

class Settings {
  #look = $state.raw(read());
  #systemIsDark = $state(dark.matches);

  constructor() {
    dark.addEventListener('change', (event) => {
      this.#systemIsDark = event.matches;
      this.#apply();
    });
    this.#apply();
  }

  get theme(): Theme {
    return this.#look.theme;
  }

  get size(): number {
    return this.#look.size;
  }

  /** The scheme that is in use. What is drawn on a canvas reads its colours anew when this changes. */
  get scheme(): 'light' | 'dark' {
    if (this.#look.theme !== 'system') return this.#look.theme;
    return this.#systemIsDark ? 'dark' : 'light';
  }

  setTheme(theme: Theme): void {
    this.#set({ ...this.#look, theme });
  }

  /** Larger type for positive steps, smaller for negative ones. */
  resize(steps: number): void {
    const at = SIZES.findIndex((size) => size === this.#look.size) + steps;
    this.#set({ ...this.#look, size: SIZES[Math.max(0, Math.min(SIZES.length - 1, at))] ?? usualSize() });
  }

  #set(look: Look): void {
    this.#look = look;
    this.#apply();
    try {
      localStorage.setItem(KEY, JSON.stringify(look));
    } catch {
      // A browser that keeps nothing still shows what was chosen.
    }
  }

  #apply(): void {
    document.documentElement.dataset['theme'] = this.scheme;
    document.documentElement.style.setProperty('--size', `${this.#look.size}px`);
  }
}

export const settings = new Settings();
