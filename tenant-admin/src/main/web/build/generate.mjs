// Writes src/gen: the types of the schema and a typed document for each operation in src/**/*.graphql, each document as
// a module of its own, so that a page loads its own ones only. With --check it fails if graphql/documents.json lacks one
// of the queries as it is; without, it puts them in.
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import * as documents from '@graphql-codegen/typed-document-node';
import { buildSchema, parse, print } from 'graphql';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const schemas = join(root, '../resources/graphql');
const manifest = join(schemas, 'documents.json');

const schema = parse(
  readdirSync(schemas)
    .filter((name) => name.endsWith('.graphqls'))
    .sort()
    .map((name) => readFileSync(join(schemas, name), 'utf8'))
    .join('\n'),
);
buildSchema(print(schema));

const files = readdirSync(join(root, 'src'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => ({ location: name, document: parse(readFileSync(join(root, 'src', name), 'utf8')) }));

const config = {
  documentMode: 'string',
  enumsAsTypes: true,
  enumType: 'string-literal',
  useTypeImports: true,
  skipTypename: true,
  dedupeFragments: true,
  strictScalars: true,
  scalars: { DateTime: 'string', EmailAddress: 'string', UUID: 'string', Long: 'number', JSON: 'unknown' },
};
const code = await codegen({
  schema,
  documents: files,
  config,
  filename: 'graphql.ts',
  plugins: [{ operations: {} }, { documents: {} }],
  pluginMap: { operations, documents },
});
const gen = join(root, 'src/gen');
rmSync(gen, { recursive: true, force: true });
mkdirSync(join(gen, 'documents'), { recursive: true });
const decoration = /^import .*DocumentTypeDecoration.*$/m;
const type = /^export class TypedDocumentString[^]*?^}$/m;
const names = [];
const types = code.replace(
  /^export const (\w+) = new TypedDocumentString\(`([^`]*)`\) as unknown as TypedDocumentString<(\w+), (\w+)>;$/gm,
  (_, name, text, result, variables) => {
    names.push(name);
    writeFileSync(
      join(gen, 'documents', `${name}.ts`),
      [
        "import { TypedDocumentString } from '../document';",
        `import type { ${result}, ${variables} } from '../graphql';`,
        '',
        `export const ${name} = /* @__PURE__ */ new TypedDocumentString<${result}, ${variables}>(${JSON.stringify(text.replace(/\s+/g, ' ').trim())});`,
        '',
      ].join('\n'),
    );
    return '';
  },
);
writeFileSync(join(gen, 'document.ts'), `${types.match(decoration)[0]}\n\n${types.match(type)[0]}\n`);
writeFileSync(
  join(gen, 'graphql.ts'),
  [
    types.replace(decoration, '').replace(type, ''),
    "export { TypedDocumentString } from './document';",
    ...names.map((name) => `export { ${name} } from './documents/${name}';`),
    '',
  ].join('\n'),
);

const stored = JSON.parse(readFileSync(manifest, 'utf8'));
const all = { ...stored };
for (const { document } of files) {
  for (const operation of document.definitions) {
    if (operation.operation === 'query') {
      all[operation.name.value] = print(operation).replace(/\s+/g, ' ').trim();
    }
  }
}
const text =
  JSON.stringify(Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)
  + '\n';
if (text !== readFileSync(manifest, 'utf8')) {
  if (process.argv.includes('--check')) {
    console.error('graphql/documents.json differs from the queries of the web app: run npm run generate');
    process.exit(1);
  }
  writeFileSync(manifest, text);
}
