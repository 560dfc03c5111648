/** Nodes of the block editor that emails have beside text. */
import { Extension, InputRule, Node, nodePasteRule } from '@tiptap/core';

/** Blocks that columns may have too are in the group block. */
const INNER = 'block';

/** Alignment of text and of buttons and images. */
export const Alignment = Extension.create({
  name: 'alignment',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'button', 'image'],
      attributes: {
        align: {
          default: null,
          parseHTML: (element) => element.getAttribute('data-align'),
          renderHTML: ({ align }) => (align ? { 'data-align': align as string } : {}),
        },
      },
    },
  ],
});

export const ButtonBlock = Node.create({
  name: 'button',
  group: INNER,
  content: '(text | variable)*',
  marks: '',
  defining: true,
  addAttributes: () => ({
    href: { default: '', renderHTML: ({ href }) => ({ title: href as string }) },
  }),
  parseHTML: () => [{ tag: 'div[data-block=button]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-block': 'button' }, ['span', 0]],
});

export const ImageBlock = Node.create({
  name: 'image',
  group: INNER,
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: '' },
    alt: { default: '' },
    width: { default: null },
    href: { default: '', rendered: false },
  }),
  parseHTML: () => [
    {
      tag: 'div[data-block=image] img',
      getAttrs: (element) => ({ src: element.getAttribute('src'), alt: element.getAttribute('alt') ?? '' }),
    },
  ],
  renderHTML: ({ HTMLAttributes: { 'data-align': align, ...image } }) => [
    'div',
    { 'data-block': 'image', ...(align ? { 'data-align': align as string } : {}) },
    ['img', image],
  ],
});

export const Divider = Node.create({
  name: 'divider',
  group: INNER,
  atom: true,
  parseHTML: () => [{ tag: 'hr' }],
  renderHTML: () => ['div', { 'data-block': 'divider' }, ['hr']],
});

export const Columns = Node.create({
  name: 'columns',
  group: 'wide',
  content: 'column column',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-block=columns]' }],
  renderHTML: () => ['div', { 'data-block': 'columns' }, 0],
});

export const Column = Node.create({
  name: 'column',
  content: `${INNER}+`,
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-block=column]' }],
  renderHTML: () => ['div', { 'data-block': 'column' }, 0],
});

/** The end of an email, with the link to unsubscribe. */
export const Footer = Node.create({
  name: 'footer',
  content: 'inline*',
  isolating: true,
  addAttributes: () => ({
    label: { default: 'Unsubscribe', renderHTML: () => ({}) },
    // Required: a type that needs no attributes could be what Enter begins after a block.
    unsubscribe: { isRequired: true, parseHTML: () => true, renderHTML: () => ({}) },
  }),
  parseHTML: () => [{ tag: 'div[data-block=footer]' }],
  renderHTML: ({ node }) => [
    'div',
    { 'data-block': 'footer' },
    ['div', 0],
    ...(node.attrs['unsubscribe'] === false
      ? []
      : [['span', { contenteditable: 'false' }, String(node.attrs['label'] || 'Unsubscribe')] as const]),
  ],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.isActive(this.name) && this.editor.commands.setHardBreak() };
  },
});

const NAME = '[\\w.-]{1,64}';

/** A fallback without the characters that would end the placeholder. */
export function cleanFallback(text: string): string {
  return text.replace(/[{}<>|\n]/g, '');
}

function attributes(match: ArrayLike<string | undefined>) {
  return { name: match[1] ?? '', fallback: cleanFallback(match[2] ?? '').trim() };
}

/** A placeholder, also when it is typed or pasted as text. */
export const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    name: { default: '', rendered: false },
    fallback: { default: '', rendered: false },
  }),
  parseHTML: () => [
    {
      tag: 'span[data-variable]',
      getAttrs: (element) => attributes(/^(.+?)(?:\|(.*))?$/.exec(element.dataset['variable'] ?? '') ?? []),
    },
  ],
  renderHTML: ({ node: { attrs } }) => {
    const name = String(attrs['name']);
    const fallback = String(attrs['fallback'] ?? '');
    return [
      'span',
      { 'data-variable': fallback ? `${name}|${fallback}` : name },
      fallback ? `${name} | ${fallback}` : name,
    ];
  },
  renderText: ({ node: { attrs } }) =>
    `{{${String(attrs['name'])}${attrs['fallback'] ? `|${String(attrs['fallback'])}` : ''}}}`,
  addInputRules() {
    return [
      new InputRule({
        find: new RegExp(`\\{\\{\\s*(${NAME})\\s*(?:\\|([^{}]*))?\\}\\}$`),
        handler: ({ state, range, match }) => {
          state.tr.replaceWith(range.from, range.to, this.type.create(attributes(match)));
        },
      }),
    ];
  },
  addPasteRules() {
    return [
      nodePasteRule({
        find: new RegExp(`\\{\\{\\s*(${NAME})\\s*(?:\\|([^{}]*))?\\}\\}`, 'g'),
        type: this.type,
        getAttributes: attributes,
      }),
    ];
  },
});
