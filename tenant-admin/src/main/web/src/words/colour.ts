/** Contrast of a brand's colour (WCAG 2.2), by the rules of the recipients' pages. */

const HEX = /^#[0-9a-f]{6}$/i;
/** Contrast that text needs (1.4.3). */
const TEXT = 4.5;
/** Relative luminance of the page in light and in dark. */
const GROUNDS = { light: 1, dark: 0.0075 } as const;

export function isColour(text: string): boolean {
  return HEX.test(text);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, two: number): number {
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

/** The colour of text on a colour. */
export function textOn(colour: string): 'black' | 'white' {
  const own = luminance(colour);
  return contrast(own, 0) >= contrast(own, 1) ? 'black' : 'white';
}

/** Whether text in a colour can be read on the page. */
export function isReadable(colour: string, theme: keyof typeof GROUNDS): boolean {
  return contrast(luminance(colour), GROUNDS[theme]) >= TEXT;
}
