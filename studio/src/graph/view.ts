// Where on the screen a place of the drawing is, and back.

export interface View {
  /** Where the origin of the drawing is on the screen. */
  x: number;
  y: number;
  scale: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const SCALE_MIN = 0.01;
const SCALE_MAX = 3;

/** The view in which all of a box is seen, as large as it can be but not larger than life. */
export function fitting(box: Box, width: number, height: number, margin = 24): View {
  const wide = Math.max(box.right - box.left, 1);
  const high = Math.max(box.bottom - box.top, 1);
  const most = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  const scale = Math.max(SCALE_MIN, Math.min(1, most));
  return { scale, x: width / 2 - (scale * (box.left + box.right)) / 2, y: height / 2 - (scale * (box.top + box.bottom)) / 2 };
}

/** The view zoomed by a factor around a point of the screen, which stays where it is. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = Math.max(SCALE_MIN, Math.min(SCALE_MAX, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

/** The view moved as little as possible so that a box of the drawing is seen, with some room around it. */
export function showing(view: View, box: Box, width: number, height: number, margin = 40): View {
  const shift = (low: number, high: number, at: number, size: number): number => {
    const [from, to] = [at + view.scale * low, at + view.scale * high];
    if (from < margin) return at + margin - from;
    return to > size - margin ? at + Math.max(size - margin - to, margin - from) : at;
  };
  return { ...view, x: shift(box.left, box.right, view.x, width), y: shift(box.top, box.bottom, view.y, height) };
}
