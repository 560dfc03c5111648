// The package as npm publishes it: its files, what it installs, its types and its size in a bundle.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const MAX_BYTES = 25_000;
const sdk = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mailroom-sdk-'));
const npm = (cwd, ...given) =>
  execFileSync('npm', given, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let packed;

before(() => {
  [packed] = JSON.parse(npm(sdk, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', `./${packed.filename}`);
});

after(() => rmSync(folder, { recursive: true }));

test('the package has its code, its types and its documentation only', () => {
  const names = packed.files.map(({ path }) => path);
  assert.ok(
    names.includes('README.md') && names.includes('package.json') && names.includes('dist/index.d.ts'),
  );
  assert.deepEqual(
    names.filter((name) => !/^dist\/.+\.(js|d\.ts)$|^(README\.md|package\.json|LICENSE)$/.test(name)),
    [],
  );
});

test('it installs nothing but standardwebhooks', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['@mailroom', '@stablelib', 'fast-sha256', 'standardwebhooks']);
});

test('programs can use it, and its types', () => {
  copyFileSync(join(sdk, 'test/usage.ts'), join(folder, 'usage.ts'));
  const tsc = join(sdk, 'node_modules/typescript/bin/tsc');
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
  ];
  const types = ['--types', 'node', '--typeRoots', join(sdk, 'node_modules/@types')];
  execFileSync(process.execPath, [tsc, ...options, ...types, 'usage.ts'], { cwd: folder, stdio: 'inherit' });
  const environment = {
    ...process.env,
    MAILROOM_URL: 'http://localhost/api',
    MAILROOM_API_KEY: 'ek_abcdefghijkl_x',
  };
  const output = execFileSync(process.execPath, ['usage.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
  });
  assert.equal(output, 'Mailroom http://localhost/api ek_abcdefghijkl…\n');
});

test('a bundle that sends, or one that verifies, is small', async () => {
  for (const uses of ['Mailroom', 'verify, webhookHandler']) {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${uses} } from '@mailroom/sdk'`, resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      write: false,
    });
    const [{ contents }] = outputFiles;
    assert.ok(contents.length <= MAX_BYTES, `${uses}: ${contents.length} bytes`);
  }
});
