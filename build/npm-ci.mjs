// Installs npm projects, at the same time, as their lock files have them, unless that was done already:
// node build/npm-ci.mjs <directory>...
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

for (const directory of process.argv.slice(2)) {
  const stamp = join(directory, 'node_modules', '.installed');
  const lock = createHash('sha256')
    .update(readFileSync(join(directory, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) continue;
  const options = { cwd: directory, stdio: 'inherit', shell: process.platform === 'win32' };
  spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], options)
    .on('error', (error) => {
      console.error(`npm cannot be run: ${error.message}`);
      process.exitCode = 1;
    })
    .on('close', (status) => {
      if (status === 0) writeFileSync(stamp, lock);
      else process.exitCode = 1;
    });
}
