// Colours of choices: the same in the list, in the picture of the zone and along the line of time.

// The golden angle: neighbours differ, however many there are.
const TURN = 137.508;
const FIRST = 25;

/** The hue of a choice. */
export function hueOf(choice: number): number {
  return Math.round(FIRST + choice * TURN) % 360;
}

/** For lines and small marks. How light it is depends on the scheme of the page. */
export function penOf(choice: number): string {
  return `hsl(${hueOf(choice)} var(--pen-saturation) var(--pen-lightness))`;
}
