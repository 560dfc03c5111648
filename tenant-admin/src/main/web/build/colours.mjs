// Fails if a source file other than the tokens, and those of emails, has a colour of its own.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = join(dirname(fileURLToPath(import.meta.url)), '../src');
const colour = /#[0-9a-f]{3,8}\b(?![\w-]*["'`]?\s*\{)|\b(?:rgb|hsl|oklch)a?\(/gi;
let wrong = 0;
for (const name of readdirSync(src, { recursive: true }).map(String)) {
  if (
    !/\.(css|tsx?)$/.test(name)
    || name.endsWith('tokens.css')
    || /^(gen|composer\/(mail-colours|render\.test))/.test(name)
  )
    continue;
  readFileSync(join(src, name), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      const found = line.match(colour)?.filter((text) => !/^#\d+$/.test(text) || name.endsWith('.css'));
      if (found?.length) {
        wrong++;
        console.error(`src/${name}:${index + 1}: ${found.join(' ')}: use a token of app/tokens.css`);
      }
    });
}
process.exit(wrong > 0 ? 1 : 0);
