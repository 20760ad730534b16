// How wide the panes of the editor are. Kept in the browser, because it is a matter of the screen and not of the model.

const KEPT = 'tourbillon.panes';

interface Widths {
  tree: number;
  properties: number;
  picture: number;
}

function initial(): Widths {
  const wide = globalThis.innerWidth || 1280;
  const usual = {
    tree: Math.round(Math.min(260, Math.max(160, wide * 0.14))),
    properties: Math.round(Math.min(460, Math.max(250, wide * 0.22))),
    picture: Math.round(wide / 2),
  };
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Record<keyof Widths, unknown>>;
    const width = (pane: keyof Widths): number => {
      const value = kept[pane];
      return typeof value === 'number' && value >= 140 && value < wide * 0.8 ? value : usual[pane];
    };
    return { tree: width('tree'), properties: width('properties'), picture: width('picture') };
  } catch {
    return usual;
  }
}

export const panes: Widths = $state(initial());

/** Keeps the widths; call in an effect. */
export function keepPanes(): void {
  const now = JSON.stringify(panes);
  try {
    localStorage.setItem(KEPT, now);
  } catch {
    // Without room in the browser the widths are the usual ones next time.
  }
}
