/** Blocks of an email, as they are stored. */
export interface Block {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Block[];
  readonly marks?: readonly { readonly type: string; readonly attrs?: Readonly<Record<string, unknown>> }[];
  readonly text?: string;
}

export type Font = 'sans' | 'serif';

/** An email that consists of blocks. Its HTML and its text follow from it alone. */
export interface Letter {
  readonly version: 1;
  readonly preheader: string;
  /** Colour of buttons and links. */
  readonly colour: string;
  readonly font: Font;
  readonly doc: Block;
}

/** The parts of the brand that a new email begins with. */
export interface BrandStyle {
  readonly name: string;
  readonly colour: string | null;
  readonly footer: string;
}

const paragraph = (...content: Block[]): Block => ({ type: 'paragraph', content });

/** Colour of buttons of an account without one. */
export const NEUTRAL = 'black';

/** An empty email, whose footer has the address of the account and the link to unsubscribe. */
export function emptyLetter(brand: BrandStyle | undefined, unsubscribe: boolean): Letter {
  const lines = (brand?.footer || brand?.name || '').split('\n').filter(Boolean);
  const content = lines.flatMap((text, index) => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    { type: 'text', text },
  ]);
  return {
    version: 1,
    preheader: '',
    colour: brand?.colour ?? NEUTRAL,
    font: 'sans',
    doc: {
      type: 'doc',
      content: [paragraph(), { type: 'footer', attrs: { unsubscribe }, content }],
    },
  };
}

/** The blocks of stored JSON; undefined if it is of another format. */
export function toLetter(stored: unknown): Letter | undefined {
  const letter = stored as Partial<Letter> | null;
  return letter?.version === 1 && letter.doc?.type === 'doc' ? (letter as Letter) : undefined;
}

/** Whether an email has something to read beside its footer. */
export function isEmpty({ doc }: Letter): boolean {
  const shows = (block: Block): boolean =>
    block.type === 'image'
    || block.type === 'variable'
    || Boolean(block.text?.trim())
    || (block.type !== 'footer' && (block.content ?? []).some(shows));
  return !(doc.content ?? []).some(shows);
}
