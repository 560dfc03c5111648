import { describe, expect, it } from 'vitest';
import { emptyLetter, isEmpty, toLetter, type Block, type Letter } from './letter';
import { address, placeholder, toHtml, toText } from './render';

const text = (value: string, ...marks: NonNullable<Block['marks']>): Block => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
const paragraph = (...content: Block[]): Block => ({ type: 'paragraph', content });
const name: Block = { type: 'variable', attrs: { name: 'first_name', fallback: 'reader' } };

const brand = { name: 'Quillmoor Press', colour: '#86308a', footer: 'Quillmoor Press\n1 Moor Lane' };

function letter(...content: Block[]): Letter {
  return { ...emptyLetter(brand, true), doc: { type: 'doc', content } };
}

describe('a new email', () => {
  it('has the brand of the account and nothing to read', () => {
    const empty = emptyLetter(brand, true);
    expect(isEmpty(empty)).toBe(true);
    expect(toText(empty)).toBe('-- \nQuillmoor Press\n1 Moor Lane\nUnsubscribe: {{unsubscribe_url}}\n');
    expect(isEmpty(letter(paragraph(name)))).toBe(false);
    expect(toLetter(JSON.parse(JSON.stringify(empty)))).toEqual(empty);
    expect(toLetter({ version: 2 })).toBeUndefined();
    expect(toLetter(null)).toBeUndefined();
  });
});

describe('the HTML', () => {
  it('is one document with tables and inline styles, the same for the same blocks', () => {
    const one = letter(
      { type: 'heading', attrs: { level: 1 }, content: [text('News')] },
      paragraph(
        text('Dear '),
        name,
        text(', '),
        text('read on', { type: 'link', attrs: { href: 'x.test/a' } }),
      ),
      {
        type: 'button',
        attrs: { href: 'https://x.test/?a=1&b=2', align: 'center' },
        content: [text('Shop')],
      },
      {
        type: 'columns',
        content: [
          {
            type: 'column',
            content: [{ type: 'image', attrs: { src: 'https://y.test/image/1', alt: 'A "sea"' } }],
          },
          { type: 'column', content: [paragraph(text('Sea', { type: 'bold' }))] },
        ],
      },
      { type: 'divider' },
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('one'))] }] },
      { type: 'footer', attrs: { label: 'Leave' }, content: [text('1 Moor Lane')] },
    );
    const html = toHtml({ ...one, preheader: 'Five books & fog' });
    expect(toHtml({ ...structuredClone(one), preheader: 'Five books & fog' })).toBe(html);
    for (const tag of ['<!doctype', '<html', '<body']) expect(html.split(tag)).toHaveLength(2);
    expect(html).toContain('>Five books &amp; fog&#847;');
    expect(html).toContain('Dear {{first_name|reader}}, <a href="https://x.test/a" style="color:#86308a;');
    expect(html).toContain('bgcolor="#86308a"');
    expect(html).toContain('<a href="https://x.test/?a=1&amp;b=2"');
    expect(html).toContain('alt="A &quot;sea&quot;" width="256"');
    expect(html).toContain('<strong>Sea</strong>');
    expect(html).toContain('1 Moor Lane<br><a href="{{unsubscribe_url}}"');
    expect(html).not.toMatch(/<(div|p|td)>/);
    expect(toText(one)).toBe(
      'News\n\nDear {{first_name|reader}}, read on (https://x.test/a)\n\nShop:\nhttps://x.test/?a=1&b=2\n\n'
        + 'A "sea"\n\nSea\n\n----\n\n- one\n\n-- \n1 Moor Lane\nLeave: {{unsubscribe_url}}\n',
    );
  });

  it('escapes what was typed, and only inserted placeholders are some', () => {
    const html = toHtml(letter(paragraph(text('<b>{{x}}</b> & co'))));
    expect(html).toContain('&lt;b&gt;&#123;&#123;x}}&lt;/b&gt; &amp; co');
    expect(toText(letter(paragraph(text('{{x}}'))))).toBe('{ {x}}\n');
    expect(placeholder({ type: 'variable', attrs: { name: 'city', fallback: '' } })).toBe('{{city}}');
  });

  it('has readable text on any colour', () => {
    const button: Block = { type: 'button', attrs: { href: 'x.test' }, content: [text('Go')] };
    const link = paragraph(text('a', { type: 'link', attrs: { href: 'x.test' } }));
    const pale = toHtml({ ...letter(button, link), colour: '#ffe000' });
    expect(pale).toContain('background:#ffe000;color:#000000');
    expect(pale).toContain('<a href="https://x.test" style="color:#13201d;');
    expect(toHtml({ ...letter(button), colour: 'black' })).toContain('background:#13201d;color:#ffffff');
  });
});

describe('an address', () => {
  it.each([
    ['x.test/a', 'https://x.test/a'],
    [' https://x.test ', 'https://x.test'],
    ['ann@x.test', 'mailto:ann@x.test'],
    ['{{shop_url}}', '{{shop_url}}'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['shop', undefined],
    ['', undefined],
  ])('%s is %s', (typed, complete) => expect(address(typed)).toBe(complete));
});
