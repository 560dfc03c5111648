// Writes src/gen/graphql.ts: the types, and a typed document for each operation in src/**/*.graphql. The documents of
// each file are a module of their own, so that a page loads its own only. With --check it fails if
// graphql/documents.json lacks one of the queries as it is; without, it puts them in.
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

const schema = parse(readdirSync(schemas).filter((name) => name.endsWith('.graphqls')).sort()
  .map((name) => readFileSync(join(schemas, name), 'utf8')).join('\n'));
buildSchema(print(schema));

const files = readdirSync(join(root, 'src'), { recursive: true }).map(String)
  .filter((name) => name.endsWith('.graphql')).sort()
  .map((name) => ({ location: name, document: parse(readFileSync(join(root, 'src', name), 'utf8')) }));

const config = {
  documentMode: 'string', enumsAsTypes: true, enumType: 'string-literal', useTypeImports: true, skipTypename: true,
  dedupeFragments: true, strictScalars: true,
  scalars: { DateTime: 'string', EmailAddress: 'string', UUID: 'string', Long: 'number', JSON: 'unknown' },
};
const code = await codegen({
  schema, documents: files, config, filename: 'graphql.ts',
  plugins: [{ operations: {} }, { documents: {} }], pluginMap: { operations, documents },
});
const [head, ...parts] = code.split(/^(?=export (?:class TypedDocumentString|const \w+(?:Document|FragmentDoc) ))/m);
const [decoration] = head.match(/^import .*DocumentTypeDecoration.*$/m);
const types = head.replace(decoration, '');
const shared = [decoration];
const modules = new Map(files.map(({ location }) => [location, []]));
for (const part of parts) {
  const name = part.match(/^export const (\w+)Document /)?.[1];
  const file = files.find(({ document }) => document.definitions.some((operation) => operation.name.value === name));
  const compact = part.replace(/`[^`]*`/g, (text) => `\`${text.slice(1, -1).replace(/\s+/g, ' ').trim()}\``).replace(/= new /, '= /* @__PURE__ */ new ');
  (modules.get(file?.location) ?? shared).push(part.startsWith('export class') ? part : compact);
}
const output = join(root, 'src/gen');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
writeFileSync(join(output, 'document.ts'), shared.join('\n'));
const names = [...modules].map(([location, documents]) => {
  const name = `${location.replace(/\.graphql$/, '').replaceAll(/[^\w]+/g, '-')}-documents`;
  writeFileSync(join(output, `${name}.ts`), ["import { TypedDocumentString } from './document';", "import type * as types from './graphql';", '',
    ...documents.map((text) => text.replace(/TypedDocumentString<(\w+), (\w+)>/, 'TypedDocumentString<types.$1, types.$2>'))].join('\n'));
  return name;
});
writeFileSync(join(output, 'graphql.ts'), [types, "export * from './document';", ...names.map((name) => `export * from './${name}';`), ''].join('\n'));

const stored = JSON.parse(readFileSync(manifest, 'utf8'));
const all = { ...stored };
for (const { document } of files) {
  for (const operation of document.definitions) {
    if (operation.operation === 'query') {
      all[operation.name.value] = print(operation).replace(/\s+/g, ' ').trim();
    }
  }
}
const text = JSON.stringify(Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2) + '\n';
if (text !== readFileSync(manifest, 'utf8')) {
  if (process.argv.includes('--check')) {
    console.error('graphql/documents.json differs from the queries of the web app: run npm run generate');
    process.exit(1);
  }
  writeFileSync(manifest, text);
}
