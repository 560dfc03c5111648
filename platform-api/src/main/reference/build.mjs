// Puts the renderer of the API reference and its fonts into a directory: node build.mjs <directory>. Does nothing if
// they are there. The packages are unpacked without their dependencies, which the renderer's bundle contains.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

const PACKAGES = [
  {
    name: '@scalar/api-reference@1.72.1',
    sha512: 'XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
    files: { 'package/dist/browser/standalone.js': 'scalar.js' },
  },
  {
    name: '@fontsource-variable/geist@5.3.0',
    sha512: 'j0m+vLQuG5XAYoHtGCVu0spvlGreR3EzpECUVzkFmI1mTVnAO38l/NEPDCFgZ177JxzYJCLSmTQibIiYPilGrA==',
    files: { 'package/files/geist-latin-wght-normal.woff2': 'geist.woff2' },
  },
  {
    name: '@fontsource-variable/geist-mono@5.3.0',
    sha512: 'vBbuwDEo9AkrqADMXOrlAR3DFcJi4/JxeuU43FoiQERnNwsfXNnvxvReZG02cQKmyk4DZkZdBZX3oTDvy2zBAw==',
    files: { 'package/files/geist-mono-latin-wght-normal.woff2': 'geist-mono.woff2' },
  },
];

const BLOCK = 512;
const BROTLI_QUALITY = 9;

const output = resolve(process.argv[2]);
const stamp = join(output, '.stamp');

/** Downloads a package through npm's cache and checks that it is the expected one. */
function download({ name, sha512 }) {
  const directory = mkdtempSync(join(tmpdir(), 'reference-'));
  try {
    const options = {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    };
    const { status, error } = spawnSync(
      'npm',
      ['pack', name, '--prefer-offline', '--loglevel=error'],
      options,
    );
    if (status !== 0) throw new Error(`npm cannot download ${name}${error ? `: ${error.message}` : ''}`);
    const bytes = readFileSync(
      join(
        directory,
        readdirSync(directory).find((file) => file.endsWith('.tgz')),
      ),
    );
    const actual = createHash('sha512').update(bytes).digest('base64');
    if (actual !== sha512) throw new Error(`${name} has the hash ${actual} instead of ${sha512}`);
    return gunzipSync(bytes);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The files of a tar archive (POSIX ustar) by their names. */
function* entries(archive) {
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0;) {
    const text = (from, length) => archive.toString('utf8', at + from, at + from + length).split('\0')[0];
    const size = parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    yield [(prefix ? `${prefix}/` : '') + text(0, 100), archive.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function write(file, bytes) {
  if (!file.endsWith('.js')) return writeFileSync(join(output, file), bytes);
  const script = Buffer.from(bytes.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  const quality = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: script.length,
  };
  writeFileSync(join(output, file), script);
  writeFileSync(join(output, `${file}.br`), brotliCompressSync(script, { params: quality }));
  writeFileSync(join(output, `${file}.gz`), gzipSync(script, { level: 9 }));
}

const version = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
  mkdirSync(output, { recursive: true });
  for (const wanted of PACKAGES) {
    const found = new Map(entries(download(wanted)));
    for (const [path, file] of Object.entries(wanted.files)) {
      if (!found.has(path)) throw new Error(`${wanted.name} has no ${path}`);
      write(file, found.get(path));
    }
  }
  writeFileSync(stamp, version);
}
