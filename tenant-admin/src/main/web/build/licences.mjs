// Writes docs/dependencies-web.md: the libraries that the web app contains, from the lock file.
import { readFileSync, writeFileSync } from 'node:fs';

const web = new URL('..', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', web), 'utf8'));
const rows = Object.entries(packages)
  .filter(([path, entry]) => path && !entry.dev && !entry.optional && !entry.devOptional)
  .map(([path, entry]) => `| ${path.replace(/.*node_modules\//, '')} | ${entry.version} | ${entry.license} |`)
  .sort();
writeFileSync(
  new URL('../../../../docs/dependencies-web.md', web),
  [
    '# Libraries of the web app',
    'Written by `npm run licences` in `tenant-admin/src/main/web` from its lock file.',
    '',
    '| library | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n'),
);
