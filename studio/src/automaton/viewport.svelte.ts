// Which part of a drawing is seen: how far it is shifted and how large it is drawn.

import type { Spot } from '../api/types';
import type { Box } from './geometry';

const SCALE_MIN = 0.02;
const SCALE_MAX = 8;
const MARGIN = 40;

export class Viewport {
  x = $state(0);
  y = $state(0);
  scale = $state(1);
  /** The size of what is looked through, in pixels. */
  width = $state(0);
  height = $state(0);
  /** How much of it is covered from above, by tools. */
  covered = 0;

  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.scale})`;
  }

  /** The point of the drawing under a pixel of the view. */
  toDrawing(pixel: Spot): Spot {
    return { x: (pixel.x - this.x) / this.scale, y: (pixel.y - this.y) / this.scale };
  }

  /** The pixel of the view over a point of the drawing. */
  toPixel(spot: Spot): Spot {
    return { x: spot.x * this.scale + this.x, y: spot.y * this.scale + this.y };
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }

  /** Draws larger or smaller; what is under the pixel stays there. The middle stays if none is given. */
  zoom(factor: number, pixel: Spot = { x: this.width / 2, y: this.height / 2 }): void {
    const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, this.scale * factor));
    const by = scale / this.scale;
    this.x = pixel.x - (pixel.x - this.x) * by;
    this.y = pixel.y - (pixel.y - this.y) * by;
    this.scale = scale;
  }

  /** Shows a rectangle as large as it fits, but not larger than is pleasant: on a large screen more than on a small one. */
  fit(box: Box | null): void {
    if (this.width === 0 || this.height === 0) return;
    const { left, top, right, bottom } = box ?? { left: -100, top: -100, right: 100, bottom: 100 };
    // A small card has no room to give away.
    const margin = Math.min(MARGIN, this.width / 16, this.height / 16);
    const across = Math.max(1, this.width - 2 * margin) / Math.max(1, right - left);
    const down = Math.max(1, this.height - 2 * margin) / Math.max(1, bottom - top);
    const most = Math.max(1.4, Math.min(this.width, this.height) / 620);
    this.scale = Math.min(most, SCALE_MAX, Math.max(SCALE_MIN, Math.min(across, down)));
    this.x = this.width / 2 - ((left + right) / 2) * this.scale;
    this.y = (this.height + this.covered) / 2 - ((top + bottom) / 2) * this.scale;
  }

  /** Shifts as little as is needed for a point to be seen. */
  reveal(spot: Spot): void {
    const pixel = this.toPixel(spot);
    const clamp = (value: number, most: number): number => Math.min(Math.max(value, MARGIN), Math.max(MARGIN, most - MARGIN));
    this.pan(clamp(pixel.x, this.width) - pixel.x, clamp(pixel.y, this.height) - pixel.y);
  }
}
