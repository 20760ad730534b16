// Charts as files of their own: everything they need is written into them, and names are nothing but text.

import { STYLES, type Mark, type Style } from './marks';

/** The colours of the page by the names of its variables, and how strong the fill of bars is. */
export interface Palette {
  colour: (name: string) => string;
  /** Saturation and lightness of what is filled with a hue. */
  saturation: string;
  lightness: string;
  sans: string;
  mono: string;
}

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it can stand anywhere in XML. */
export function escaped(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (sign) => NAMED[sign] ?? sign);
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A part of a chart that is moved as a whole. */
export interface Layer {
  x: number;
  y: number;
  marks: readonly Mark[];
}

/** A file with these layers. */
export function svgFile(title: string, width: number, height: number, layers: readonly Layer[], palette: Palette): string {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const body = layers.map(
    (layer) => `<g transform="translate(${rounded(layer.x)} ${rounded(layer.y)})">\n${layer.marks.map((mark) => drawn(mark, palette)).join('\n')}\n</g>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">
<title>${escaped(title)}</title>
<defs>
<marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5 8 4 0 7.5z" fill="${escaped(palette.colour('sync'))}"/></marker>
<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" stroke="${escaped(palette.colour('location-line'))}" stroke-width="1.6"/></pattern>
</defs>
<rect width="100%" height="100%" fill="${escaped(palette.colour('ground'))}"/>
${body.join('\n')}
</svg>
`;
}

function drawn(mark: Mark, palette: Palette): string {
  const style = STYLES[mark.look];
  if (mark.kind === 'line') {
    const ends = `x1="${rounded(mark.x1)}" y1="${rounded(mark.y1)}" x2="${rounded(mark.x2)}" y2="${rounded(mark.y2)}"`;
    return `<line ${ends}${paint(style, null, palette)}${mark.arrow ? ' marker-end="url(#arrow)"' : ''}/>`;
  }
  if (mark.kind === 'box') {
    const sides = `x="${rounded(mark.x)}" y="${rounded(mark.y)}" width="${rounded(mark.width)}" height="${rounded(mark.height)}"`;
    const round = style.round ? ` rx="${style.round}"` : '';
    const box = `<rect ${sides}${round}${paint(style, mark.hue, palette)}/>`;
    return style.hatched ? `${box}<rect ${sides} fill="url(#hatch)"/>` : box;
  }
  const font = style.mono ? palette.mono : palette.sans;
  const face = `font-family="${escaped(font)}" font-size="${style.size ?? 12}"${style.bold ? ' font-weight="600"' : ''}`;
  const place = `x="${rounded(mark.x)}" y="${rounded(mark.y)}" text-anchor="${mark.anchor}" dominant-baseline="central"`;
  return `<text ${place} ${face} fill="${escaped(palette.colour(style.fill ?? 'text'))}">${escaped(mark.text)}</text>`;
}

function paint(style: Style, hue: number | null, palette: Palette): string {
  const fill = hue === null ? (style.fill ? palette.colour(style.fill) : 'none') : `hsl(${hue}, ${palette.saturation}, ${palette.lightness})`;
  const stroke = style.stroke ? ` stroke="${escaped(palette.colour(style.stroke))}" stroke-width="${style.width ?? 1}"` : '';
  return ` fill="${escaped(fill)}"${stroke}${style.dash ? ` stroke-dasharray="${style.dash}"` : ''}`;
}

/** The palette of the page as it looks now, around an element. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    colour: (name) => value(`--${name}`) || '#000',
    saturation: value('--hue-saturation') || '60%',
    lightness: value('--hue-lightness') || '85%',
    sans: value('--sans') || 'sans-serif',
    mono: value('--mono') || 'monospace',
  };
}
