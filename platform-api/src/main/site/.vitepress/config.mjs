// The site: build.mjs writes the pages and names the directory of the result.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages } from '../pages.mjs';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const [, version] = /<artifactId>mailroom<\/artifactId>\s*<version>([^<]+)/.exec(
  readFileSync(join(root, 'pom.xml'), 'utf8'),
);
const all = pages(root);
const titles = Object.fromEntries(all.map(({ name, title }) => [name, title]));

const link = ({ name, title }) => ({ text: title.replace(/^Quickstart: /, ''), link: `/${name}` });
const reference = { text: 'API reference', link: '/docs/reference', target: '_self', rel: '' };
/** Entries of a section besides its pages. */
const MORE = { Tools: [reference], Operation: [{ text: 'Runbooks', link: '/runbooks/AmbiguousHandovers' }] };
const groups = [...new Set(all.map(({ section }) => section))].filter(Boolean).map((section) => ({
  text: section,
  items: [...(MORE[section] ?? []), ...all.filter((page) => page.section === section).map(link)],
}));
const isRunbooks = ({ text }) => text === 'Runbooks';

/** The anchor of a heading, as GitHub names it. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export default {
  title: 'Mailroom',
  description: 'Documentation of Mailroom',
  lang: 'en',
  base: '/docs/',
  srcDir: '.vitepress/cache/pages',
  outDir: process.env.SITE_OUTPUT,
  assetsDir: 'static',
  cleanUrls: true,
  metaChunk: true,
  // Without a style element, which the policy forbids.
  appearance: { disableTransition: false },
  // The addresses of the standalone.
  ignoreDeadLinks: 'localhostLinks',
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: "data:image/svg+xml,%3Csvg xmlns='http:%2F%2Fwww.w3.org%2F2000%2Fsvg' viewBox='0 0 16 16'%3E%3Crect y='2.5' width='16' height='11' rx='2' fill='%230f766e'/%3E%3Cpath d='M2 5l6 4.5L14 5' fill='none' stroke='white' stroke-width='1.5'/%3E%3C/svg%3E",
      },
    ],
  ],
  themeConfig: {
    nav: [{ text: 'Quickstart', link: '/quickstart-curl' }, reference, { text: version, link: '/versions' }],
    sidebar: { '/runbooks/': groups.filter(isRunbooks), '/': groups.filter((group) => !isRunbooks(group)) },
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  markdown: {
    // Texts of the pages are Markdown only: what looks like a tag is text.
    html: false,
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(md) {
      // A head without text is a cell.
      md.core.ruler.push('empty_heads', ({ tokens }) =>
        tokens.forEach((token, at) => {
          if (token.type === 'th_open' && tokens[at + 1].content === '')
            token.tag = tokens[at + 2].tag = 'td';
        }),
      );
      // Placeholders of templates are text, not expressions of Vue.
      for (const rule of ['text', 'code_inline']) {
        const plain = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...rest) => plain(...rest).replaceAll('{{', '&#123;&#123;');
      }
      const inner = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, at, options, env, self) => {
        const href = tokens[at].attrGet('href');
        if (!href.startsWith('http://localhost:8080/')) return inner(tokens, at, options, env, self);
        // Links to the standalone lead to this server.
        tokens[at].attrSet('href', new URL(href).pathname);
        tokens[at].attrSet('target', '_self');
        return self.renderToken(tokens, at, options);
      };
    },
  },
  transformPageData(page) {
    page.title = titles[page.relativePath.replace(/\.md$/, '')] ?? page.title;
  },
};
