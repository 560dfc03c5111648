/** HTML and text of an email that consists of blocks: tables and inline styles, as mail programs need them. */
import { isReadable, textOn } from '../words/colour';
import { NEUTRAL, type Block, type Font, type Letter } from './letter';
import { mail } from './mail-colours';

/** Width of the email in pixels, and of what is inside its padding. */
const WIDTH = 600;
const INNER = 536;
const COLUMN = 256;

const fonts: Record<Font, string> = {
  sans: "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',serif",
};

const sizes: Record<number, string> = { 1: '28px', 2: '21px', 3: '17px' };

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/** Space that keeps the text after the preheader out of the inbox. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(40);

interface Style {
  readonly accent: string;
  readonly onAccent: string;
  readonly link: string;
  readonly font: string;
  readonly width: number;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Text that is no placeholder, whatever it looks like. */
function literal(text: string): string {
  return escaped(text).replaceAll('{{', '&#123;&#123;');
}

function string(block: Block, name: string): string {
  const value = block.attrs?.[name];
  return typeof value === 'string' ? value : '';
}

/** A placeholder of the server's templates. */
export function placeholder(block: Block): string {
  const fallback = string(block, 'fallback');
  return `{{${string(block, 'name')}${fallback ? `|${fallback}` : ''}}}`;
}

/** A complete address; undefined if a mail program would not open it. */
export function address(text: string): string | undefined {
  const url = text.trim();
  if (/^(https?:\/\/|mailto:|tel:|\{\{)/i.test(url)) return url;
  if (/^[^\s@:/]+@[^\s@:/]+\.\w+$/.test(url)) return `mailto:${url}`;
  return /^[\w-]+(\.[\w-]+)+([/?#]\S*)?$/.test(url) ? `https://${url}` : undefined;
}

function inline(content: readonly Block[] | undefined, style: Style): string {
  return (content ?? [])
    .map((part) => {
      if (part.type === 'hardBreak') return '<br>';
      const text = part.type === 'variable' ? placeholder(part) : literal(part.text ?? '');
      return (part.marks ?? []).reduce((inner, mark) => {
        if (mark.type === 'bold') return `<strong>${inner}</strong>`;
        if (mark.type === 'italic') return `<em>${inner}</em>`;
        const href = mark.type === 'link' ? address(String(mark.attrs?.['href'] ?? '')) : undefined;
        return href === undefined
          ? inner
          : `<a href="${escaped(href)}" style="color:${style.link};text-decoration:underline">${inner}</a>`;
      }, text);
    })
    .join('');
}

function align(block: Block): string {
  return block.attrs?.['align'] === 'center' ? 'text-align:center;' : '';
}

function html(block: Block, style: Style): string {
  switch (block.type) {
    case 'paragraph':
      return `<p style="${align(block)}margin:0 0 16px">${inline(block.content, style) || '&nbsp;'}</p>`;
    case 'heading': {
      const level = Number(block.attrs?.['level'] ?? 1);
      return `<h${level} style="${align(block)}margin:0 0 16px;font-size:${sizes[level] ?? sizes[3]};line-height:1.25;font-weight:600">${inline(block.content, style)}</h${level}>`;
    }
    case 'bulletList':
    case 'orderedList': {
      const tag = block.type === 'bulletList' ? 'ul' : 'ol';
      const items = (block.content ?? []).map(
        (item) => `<li style="margin:0 0 8px">${listItem(item, style)}</li>`,
      );
      return `<${tag} style="margin:0 0 16px;padding:0 0 0 24px">${items.join('')}</${tag}>`;
    }
    case 'button':
      return button(block, style);
    case 'image':
      return image(block, style);
    case 'divider':
      return `<hr style="margin:8px 0 24px;border:0;border-top:1px solid ${mail.line}">`;
    case 'columns':
      return columns(block, style);
    default:
      return '';
  }
}

/** Items have paragraphs, and lists inside. */
function listItem(item: Block, style: Style): string {
  return (item.content ?? [])
    .map((part) => (part.type === 'paragraph' ? inline(part.content, style) : html(part, style)))
    .join('<br>');
}

function button(block: Block, style: Style): string {
  const href = address(string(block, 'href')) ?? '#';
  const centred = block.attrs?.['align'] === 'center';
  return (
    `<table ${TABLE}${centred ? ' align="center"' : ''} style="margin:${centred ? '8px auto 24px' : '8px 0 24px'}"><tr>`
    + `<td bgcolor="${style.accent}" style="border-radius:6px;background:${style.accent}">`
    + `<a href="${escaped(href)}" style="display:inline-block;padding:12px 20px;border:1px solid ${style.accent};`
    + `border-radius:6px;background:${style.accent};color:${style.onAccent};font-weight:600;text-decoration:none">`
    + `${inline(block.content, style) || '&nbsp;'}</a></td></tr></table>`
  );
}

function image(block: Block, style: Style): string {
  const own = Number(block.attrs?.['width'] ?? 0);
  const width = own > 0 ? Math.min(own, style.width) : style.width;
  const centred = block.attrs?.['align'] === 'center';
  const picture =
    `<img src="${escaped(string(block, 'src'))}" alt="${literal(string(block, 'alt'))}" width="${width}"`
    + ` style="display:block;width:100%;max-width:${width}px;height:auto;margin:${centred ? '0 auto 16px' : '0 0 16px'};border:0">`;
  const href = address(string(block, 'href'));
  return href ? `<a href="${escaped(href)}">${picture}</a>` : picture;
}

function columns(block: Block, style: Style): string {
  const cells = (block.content ?? []).map(
    (column, index) =>
      `<td class="column" width="50%" valign="top" style="width:50%;padding:${index === 0 ? '0 12px 0 0' : '0 0 0 12px'};vertical-align:top">`
      + `${(column.content ?? []).map((inner) => html(inner, { ...style, width: COLUMN })).join('\n')}</td>`,
  );
  return `<table ${TABLE} width="100%" style="width:100%;margin:0 0 8px"><tr>${cells.join('')}</tr></table>`;
}

function footer(block: Block | undefined, style: Style): string {
  if (!block) return '';
  const quiet = { ...style, link: mail.quiet };
  const text = inline(block.content, quiet);
  const link =
    block.attrs?.['unsubscribe'] === false
      ? ''
      : `<a href="{{unsubscribe_url}}" style="color:${mail.quiet};text-decoration:underline">${literal(label(block))}</a>`;
  return (
    `<tr><td class="quiet" style="padding:20px 32px;color:${mail.quiet};font-size:13px;line-height:1.5;text-align:center">`
    + `${[text, link].filter(Boolean).join('<br>')}</td></tr>`
  );
}

function label(block: Block): string {
  return string(block, 'label') || 'Unsubscribe';
}

/** The HTML of an email: one document, with the styles at their elements. */
export function toHtml({ colour, font, preheader, doc }: Letter): string {
  const accent = colour === NEUTRAL ? mail.text : colour;
  const style: Style = {
    accent,
    onAccent: mail[textOn(accent)],
    link: isReadable(accent, 'light') ? accent : mail.text,
    font: fonts[font],
    width: INNER,
  };
  const blocks = doc.content ?? [];
  const end = blocks.find((block) => block.type === 'footer');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title></title>
<style>
@media (max-width: 480px) {
  .column { display: block !important; width: 100% !important; padding: 0 !important; }
  .box { padding: 24px 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: ${mail.darkPage} !important; }
  .box { background: ${mail.darkBox} !important; color: ${mail.darkText} !important; }
  .box p a, .box li a { color: ${mail.darkText} !important; }
  .quiet, .quiet a { color: ${mail.darkQuiet} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${mail.page}">
${preheader.trim() ? `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${literal(preheader.trim())}${FILLER}</div>\n` : ''}<table class="page" ${TABLE} width="100%" bgcolor="${mail.page}" style="width:100%;background:${mail.page}"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} width="${WIDTH}" style="width:100%;max-width:${WIDTH}px;font:16px/1.5 ${style.font}">
<tr><td class="box" bgcolor="${mail.box}" style="padding:32px;background:${mail.box};border-radius:8px;color:${mail.text};font:16px/1.5 ${style.font};text-align:left">
${blocks
  .filter((block) => block !== end)
  .map((block) => html(block, style))
  .join('\n')}
</td></tr>
${footer(end, style)}
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Plain text has no way to write braces that are no placeholder. */
function plain(text: string): string {
  return text.replaceAll('{{', '{ {');
}

function words(content: readonly Block[] | undefined): string {
  return (content ?? [])
    .map((part) => {
      if (part.type === 'hardBreak') return '\n';
      if (part.type === 'variable') return placeholder(part);
      const text = plain(part.text ?? '');
      const link = part.marks?.find((mark) => mark.type === 'link');
      const href = link ? address(String(link.attrs?.['href'] ?? '')) : undefined;
      return href && href !== text ? `${text} (${href})` : text;
    })
    .join('');
}

function text(block: Block): string {
  switch (block.type) {
    case 'bulletList':
    case 'orderedList':
      return (block.content ?? [])
        .map((item, index) => {
          const mark = block.type === 'bulletList' ? '- ' : `${index + 1}. `;
          return mark + (item.content ?? []).map(text).join('\n').replaceAll('\n', '\n  ');
        })
        .join('\n');
    case 'button':
      return [words(block.content), address(string(block, 'href'))].filter(Boolean).join(':\n');
    case 'image':
      return [plain(string(block, 'alt')), address(string(block, 'href'))].filter(Boolean).join(':\n');
    case 'divider':
      return '----';
    case 'columns':
    case 'column':
      return (block.content ?? []).map(text).filter(Boolean).join('\n\n');
    case 'footer': {
      const link =
        block.attrs?.['unsubscribe'] === false ? '' : `${plain(label(block))}: {{unsubscribe_url}}`;
      return ['-- ', words(block.content), link].filter(Boolean).join('\n');
    }
    default:
      return words(block.content);
  }
}

/** The text part of an email. */
export function toText({ doc }: Letter): string {
  return `${(doc.content ?? []).map(text).filter(Boolean).join('\n\n')}\n`;
}

/** An email as HTML and as text. */
export interface Written {
  readonly htmlContent: string;
  readonly textContent: string;
}

/** The HTML and the text of an email. */
export function written(letter: Letter): Written {
  return { htmlContent: toHtml(letter), textContent: toText(letter) };
}
