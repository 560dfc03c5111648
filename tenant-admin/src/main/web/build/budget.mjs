// Fails if a page loads more than 150 kB of JavaScript or 20 kB of CSS, gzip. A page loads its own chunk, that of the
// entry, and all that these import statically: node build/budget.mjs <directory of the build>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MAX_JS = 150_000;
const MAX_CSS = 20_000;

const root = process.argv[2];
const manifest = JSON.parse(readFileSync(join(root, '.vite/manifest.json'), 'utf8'));
const gzip = new Map();

function size(file) {
  if (!gzip.has(file)) gzip.set(file, gzipSync(readFileSync(join(root, file)), { level: 9 }).length);
  return gzip.get(file);
}

function load(key, files = new Set(), seen = new Set()) {
  if (seen.has(key)) return files;
  seen.add(key);
  const chunk = manifest[key];
  files.add(chunk.file);
  chunk.css?.forEach((file) => files.add(file));
  chunk.imports?.forEach((other) => load(other, files, seen));
  return files;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
/** The page whose parts are pages as well. */
const SETTINGS = 'src/account/settings-tab.tsx';
const tabs = manifest[SETTINGS].dynamicImports;
const pages = [...manifest[entry].dynamicImports, ...tabs].filter(
  (key) => !/overlays|palette|dialogs|send-test|reschedule|add|node_modules/.test(key),
);
let over = false;
const rows = pages.map((page) => {
  const files = [...load(page, tabs.includes(page) ? load(SETTINGS, load(entry)) : load(entry))];
  const sum = (suffix) =>
    files.filter((file) => file.endsWith(suffix)).reduce((total, file) => total + size(file), 0);
  const [js, css] = [sum('.js'), sum('.css')];
  over ||= js > MAX_JS || css > MAX_CSS;
  return { page: page.replace('src/', '').replace('.tsx', ''), js: kilobytes(js), css: kilobytes(css) };
});
writeFileSync(join(root, '.vite/budget.json'), JSON.stringify(rows, null, 2));
if (over || process.argv.includes('--print')) console.table(rows);
if (over) {
  console.error('A page is larger than the budget of 150 kB of JavaScript and 20 kB of CSS.');
  process.exit(1);
}

function kilobytes(bytes) {
  return Number((bytes / 1000).toFixed(1));
}
