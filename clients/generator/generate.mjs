// Generates sources of the SDKs from the published OpenAPI document. With --check nothing is written, and an outdated
// source is an error.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { java } from './java.mjs';
import { read } from './model.mjs';
import { typescript } from './typescript.mjs';

const here = (path) => new URL(path, import.meta.url);
const DOCUMENT = here('../../platform-api/src/main/resources/openapi/openapi.yaml');

const model = read(parse(readFileSync(DOCUMENT, 'utf8'), { version: '1.1' }));
const outputs = {
  '../typescript/src/gen/': typescript(model),
  '../java/src/main/java/dev/mailroom/sdk/': java(model),
};

/** What the formatter of Java does not change. */
const bare = (text) => text.replace(/[\s*]/g, '');

for (const [folder, files] of Object.entries(outputs)) {
  mkdirSync(here(folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = here(folder + name);
    if (existsSync(file) && bare(readFileSync(file, 'utf8')) === bare(text)) continue;
    if (!process.argv.includes('--check')) {
      writeFileSync(file, text);
    } else {
      console.error(`${file.pathname} is outdated: run \`npm run write\` in clients/generator`);
      process.exitCode = 1;
    }
  }
}
