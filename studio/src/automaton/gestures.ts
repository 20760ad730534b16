// Gestures that move what is seen of a drawing: the wheel, two fingers, dragging.

import type { Viewport } from './viewport.svelte';

/** A pixel of an element where a pointer is. */
export function pixelOf(event: MouseEvent, element: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** Turns the wheel into zooming, and with Shift into panning. A pinch on a touchpad is a wheel with Ctrl. */
export function wheel(event: WheelEvent, element: Element, viewport: Viewport): void {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  if (event.shiftKey && !event.ctrlKey) {
    viewport.pan(-(event.deltaX || event.deltaY) * unit, event.deltaX ? -event.deltaY * unit : 0);
    return;
  }
  const step = Math.max(-120, Math.min(120, event.deltaY * unit)) * (event.ctrlKey ? 4 : 1);
  viewport.zoom(Math.exp(-step / 500), pixelOf(event, element));
}

/** Follows the fingers on a drawing; two of them shift and zoom it. */
export class Fingers {
  readonly #down = new Map<number, { x: number; y: number }>();

  /** Whether two fingers are down: what one began ends then. */
  get pinching(): boolean {
    return this.#down.size >= 2;
  }

  press(event: PointerEvent, element: Element): void {
    if (event.pointerType === 'touch') this.#down.set(event.pointerId, pixelOf(event, element));
  }

  move(event: PointerEvent, element: Element, viewport: Viewport): void {
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const now = pixelOf(event, element);
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
    this.#down.set(event.pointerId, now);
    if (!other) return;
    const span = (point: { x: number; y: number }): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    viewport.zoom(span(now) / span(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    viewport.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  release(event: PointerEvent): void {
    this.#down.delete(event.pointerId);
  }
}
