// Writes the API's document from its parts: what every operation shares (credentials, envelopes, paging,
// the errors that any route can give) is said once here, and not eighty times in the parts.
// With --check nothing is written, and a document that is not up to date is an error.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { operation } from './operation.mjs';
import { responses } from './errors.mjs';

const here = (path) => new URL(path, import.meta.url);
const yaml = (path) => parse(readFileSync(here(path), 'utf8'), { merge: true });
const TARGET = here('../resources/openapi/openapi.yaml');

const document = yaml('openapi.yaml');
const parts = readdirSync(here('parts')).sort().map((file) => yaml(`parts/${file}`));

parts.forEach((part) => Object.assign(document.components.schemas, part.schemas));
for (const part of parts) {
  document.tags.push({ name: part.tag, description: part.says });
  for (const [path, { id, root, ...methods }] of Object.entries(part.paths)) {
    const item = (document.paths[path] = root ? { servers: [{ url: '/', description: 'The root, outside /api' }] } : {});
    for (const [method, short] of Object.entries(methods)) {
      item[method] = operation({ method, path, root, tag: part.tag, ids: id ?? {}, ...short }, document.components.schemas);
    }
  }
}
document.components.responses = responses();
for (const schema of Object.values(document.components.schemas)) {
  if ('example' in schema) schema.examples = [schema.example];
  delete schema.example;
}

const header = '# Written by platform-api/src/main/openapi/write.mjs from the parts beside it. Change those.\n';
// Quoted as YAML 1.1 needs it: readers of either version see the same.
const text = header + stringify(document, { schema: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 120 });
if (!process.argv.includes('--check')) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('openapi.yaml is not what its parts say: run `npm run write` in platform-api/src/main/openapi');
  process.exit(1);
}
