// Formats TypeScript, JavaScript, CSS and GraphQL of the whole repository: node build/format.mjs. With --check it fails
// if a file is not formatted. It reads only files that have changed since the last success.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '../../../..');
const prettier = join(web, 'node_modules/prettier/bin/prettier.cjs');
const stamp = join(web, 'node_modules/.formatted');
const check = process.argv.includes('--check');

/** Paths of the files below a directory, from the root. */
function files(directory) {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'gen', 'dist', 'target', 'cache', '.temp'].includes(entry.name)
        ? []
        : files(path);
    return /\.(tsx?|m?js|css|graphqls?)$/.test(entry.name) ? [path] : [];
  });
}

/** A hash of what decides whether a file is formatted. */
function hash(path) {
  return createHash('sha256')
    .update(rules)
    .update(path)
    .update(readFileSync(join(root, path)))
    .digest('hex');
}

const rules = ['.prettierrc.json', '.prettierignore', '.editorconfig']
  .map((name) => readFileSync(join(root, name)))
  .join('');
const modules = readdirSync(root)
  .map((name) => `${name}/src`)
  .filter((directory) => existsSync(join(root, directory)));
const paths = ['build', 'clients', 'examples', ...modules].flatMap(files);
const formatted = new Set(existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []);
const changed = paths.filter((path) => !formatted.has(hash(path)));
if (changed.length > 0) {
  const options = [check ? '--check' : '--write', '--log-level', 'warn'];
  const { status } = spawnSync(process.execPath, [prettier, ...options, ...changed], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    if (check) console.error('Run npm run format in tenant-admin/src/main/web');
    process.exit(1);
  }
  writeFileSync(stamp, paths.map(hash).join('\n'));
}
