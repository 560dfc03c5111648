// Installs an npm project as its lock file has it, unless that was done already: node build/npm-ci.mjs <directory>
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
const stamp = join(directory, 'node_modules', '.installed');
const lock = createHash('sha256').update(readFileSync(join(directory, 'package-lock.json'))).digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  const options = { cwd: directory, stdio: 'inherit', shell: process.platform === 'win32' };
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  if (error) console.error(`npm cannot be run: ${error.message}`);
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, lock);
}
