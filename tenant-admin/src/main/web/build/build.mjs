// Builds the web app into a directory, unless no source has changed, and checks the format of all web sources of the
// repository: node build/build.mjs <directory>
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '../../../..');
const output = resolve(process.argv[2]);
const stamp = join(output, '.stamp');

/** Smallest file that is also written compressed. */
const MIN_COMPRESSED = 1024;

function files(directory) {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .sort()
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile());
}

function sources() {
  const own = readdirSync(web)
    .filter((name) => !['src', 'build', 'public', 'node_modules', '.gitignore'].includes(name))
    .map((name) => join(web, name));
  const inside = ['src', 'build', 'public']
    .flatMap((name) => files(join(web, name)))
    .filter((file) => !file.startsWith(join(web, 'src/gen')));
  const hash = createHash('sha256');
  for (const file of [...own, ...inside, ...files(join(web, '../resources/graphql'))])
    hash.update(file.slice(web.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function run(...command) {
  const { status, error } = spawnSync(process.execPath, command, { cwd: web, stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(1);
}

run(join(root, 'build/npm-ci.mjs'), web);
// Beside the other steps, as Prettier uses one core.
const format = once(
  spawn(process.execPath, ['build/format.mjs', '--check'], { cwd: web, stdio: 'inherit' }),
  'close',
);
const hash = sources();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  run('build/generate.mjs', '--check');
  run('node_modules/typescript/bin/tsc', '--noEmit');
  run('node_modules/oxlint/bin/oxlint', '--deny-warnings', '--quiet', 'src');
  run('build/colours.mjs');
  rmSync(output, { recursive: true, force: true });
  run('node_modules/vite/bin/vite.js', 'build', '--outDir', output, '--emptyOutDir', '--logLevel', 'warn');
  run('build/budget.mjs', output);
  for (const file of files(output)) {
    const bytes = readFileSync(file);
    if (!/\.(js|css|svg)$/.test(file) || bytes.length < MIN_COMPRESSED) continue;
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
  writeFileSync(stamp, hash);
}
const [status] = await format;
if (status !== 0) process.exit(1);
