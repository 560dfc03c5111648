// Builds the documentation site from the Markdown files of the repository, unless none has changed:
// node build.mjs <directory>. With --write, code of the examples is copied into the pages instead.
//
// The directory gets the pages as HTML and as Markdown, llms.txt, llms-full.txt, the list of pages, and the content
// security policy with the hashes of the inline scripts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { example, nameOf, pages } from './pages.mjs';

const site = dirname(fileURLToPath(import.meta.url));
const root = join(site, '../../../..');

/** Largest llms-full.txt. */
const MAX_FULL = 400_000;

const MIN_COMPRESSED = 1024;
const BROTLI_QUALITY = 9;

/** A code block after a comment that names an example: file, or file and region. */
const EXAMPLE = /^<!-- (examples\/\S+) -->\n(```\w+\n)([^]*?)\n```$/gm;

const POLICY = (hashes) =>
  `default-src 'none'; script-src 'self' ${hashes.join(' ')}; style-src 'self'; style-src-attr 'unsafe-inline'; `
  + "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
  + "frame-ancestors 'none'";

function files(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory())
        return ['node_modules', 'target', 'cache', '.temp'].includes(entry.name) ? [] : files(path);
      return [path];
    });
}

/** Copies examples into the pages. */
function write() {
  for (const { file, text } of pages(root)) {
    const updated = text.replace(
      EXAMPLE,
      (_, path, begin) => `<!-- ${path} -->\n${begin}${example(root, path)}\n\`\`\``,
    );
    if (updated !== text) writeFileSync(join(root, file), updated);
  }
}

/** Fails if code in a page differs from its example, or if a quickstart has other code. */
function check({ name, file, text }) {
  for (const [, path, , code] of text.matchAll(EXAMPLE)) {
    if (code !== example(root, path))
      throw new Error(`${file} differs from ${path}: run node platform-api/src/main/site/build.mjs --write`);
  }
  const blocks = text.match(/^```\w+$/gm)?.length ?? 0;
  if (name.startsWith('quickstart-') && blocks !== [...text.matchAll(EXAMPLE)].length)
    throw new Error(`${file} has code that is not of an example`);
}

/** The Markdown of a page as the site has it: links lead to pages of the site, others are text. */
function staged({ name, file, text }, names) {
  const link = (whole, image, label, target) => {
    if (/^(https?:|#|mailto:)/.test(target)) return whole;
    const [path, anchor] = target.split('#');
    const there = posix.join(posix.dirname(file), path);
    if (image) return `![${label}](${posix.relative(posix.dirname(`docs/${name}`), there)})`;
    if (!there.endsWith('.md') || !names.has(nameOf(there))) return label;
    const to = posix.relative(posix.dirname(name), nameOf(there));
    return `[${label}](${to}.md${anchor ? `#${anchor}` : ''})`;
  };
  return text
    .replace(/^<!--.*-->\n/gm, '')
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, at) => (at % 2 ? part : part.replace(/(!?)\[([^\]]+)]\(([^)\s]+)\)/g, link)))
    .join('');
}

/** The first sentence of a page, as the end of a line of a list; empty if the page begins with a heading. */
function summary({ markdown }) {
  const [, first] = /^# .+\n+(?!```)([^\n#|].*?\.)(?:\s|$)/m.exec(markdown) ?? [];
  return first ? `: ${first.replace(/\[([^\]]+)]\([^)]+\)/g, '$1')}` : '';
}

function llms([home, ...others]) {
  const lines = ['# Mailroom', '', `> ${summary(home).slice(2)}`];
  let section;
  for (const page of others) {
    if (page.section !== section) lines.push('', `## ${(section = page.section)}`, '');
    lines.push(`- [${page.title}](/docs/${page.name}.md)${summary(page)}`);
    if (page.name === 'sdk-java')
      lines.push(
        '- [OpenAPI document](/openapi.json): every operation of the REST API, with examples and errors.',
      );
  }
  return `${lines.join('\n')}\n`;
}

function run(...command) {
  const { status, error, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: site,
    encoding: 'utf8',
  });
  if (status === 0) return;
  console.error(error?.message ?? stdout + stderr);
  process.exit(1);
}

function build(output) {
  const all = pages(root);
  const names = new Set(all.map(({ name }) => name));
  const hash = createHash('sha256');
  for (const file of [
    ...files(site),
    ...files(join(root, 'examples')),
    ...files(join(root, 'docs/pictures')),
  ])
    hash.update(file.slice(root.length)).update(readFileSync(file));
  hash.update(JSON.stringify(all)).update(readFileSync(join(root, 'pom.xml')));
  const wanted = hash.digest('hex');
  const stamp = join(output, '.stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  run(join(root, 'build/npm-ci.mjs'), site);
  const source = join(site, '.vitepress/cache/pages');
  rmSync(source, { recursive: true, force: true });
  for (const page of all) {
    check(page);
    page.markdown = staged(page, names);
    mkdirSync(dirname(join(source, page.name)), { recursive: true });
    writeFileSync(join(source, `${page.name}.md`), page.markdown);
  }
  cpSync(join(root, 'docs/pictures'), join(source, 'pictures'), { recursive: true });
  process.env.SITE_OUTPUT = output;
  run('node_modules/vitepress/bin/vitepress.js', 'build', '.');
  rmSync(join(output, 'hashmap.json'), { force: true });

  for (const { name, markdown } of all) writeFileSync(join(output, `${name}.md`), markdown);
  writeFileSync(join(output, 'llms.txt'), llms(all));
  const full = all.filter((page) => page.full).map(({ markdown }) => markdown);
  if (Buffer.byteLength(full.join('\n')) > MAX_FULL)
    throw new Error(`llms-full.txt has ${Buffer.byteLength(full.join('\n'))} bytes, more than ${MAX_FULL}`);
  writeFileSync(join(output, 'llms-full.txt'), full.join('\n'));
  writeFileSync(join(output, 'pages.json'), JSON.stringify(all.map(({ name, title }) => ({ name, title }))));
  const hashes = new Set();
  for (const file of files(output)) {
    const bytes = readFileSync(file);
    if (file.endsWith('.html')) {
      for (const [, script] of bytes
        .toString('utf8')
        .matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g))
        hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
    if (!/\.(html|js|css|txt)$/.test(file) || bytes.length < MIN_COMPRESSED) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
  writeFileSync(join(output, 'policy.txt'), POLICY([...hashes].sort()));
  writeFileSync(stamp, wanted);
}

if (process.argv.includes('--write')) write();
else build(resolve(process.argv[2]));
