// Writes src/gen: the types of all operations in src/**/*.graphql, and for each folder a module with its documents, so
// that a page loads those that it uses. src/gen/graphql.ts exports them all. With --check it fails if
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
writeModules(code);

/** Writes the generated code in parts: the types, the class of documents, and the documents of each folder. */
function writeModules(generated) {
  const write = (name, text) => writeFileSync(join(root, `src/gen/${name}.ts`), text);
  const folders = new Map(files.flatMap(({ location, document }) => document.definitions.map((one) => [one.name.value, location.split(/[\\/]/).slice(0, -1).join('-')])));
  const [types, rest] = generated.split(/(?=^export class TypedDocumentString)/m);
  const [kind, ...documentsOfAll] = rest.split(/(?=^export const )/m);
  const modules = new Map();
  for (const text of documentsOfAll) {
    const folder = folders.get(text.match(/^export const (\w+)Document\b/)[1]);
    modules.set(folder, [...modules.get(folder) ?? [], text]);
  }
  const [imports, declared] = types.split(/(?=^import type \{ DocumentTypeDecoration)/m);
  rmSync(join(root, 'src/gen'), { recursive: true, force: true });
  mkdirSync(join(root, 'src/gen'), { recursive: true });
  const needed = declared.slice(0, declared.indexOf('\n') + 1);
  write('document', needed + kind);
  for (const [folder, texts] of modules) {
    const names = [...new Set(texts.flatMap((text) => text.match(/\w+(?=(?:, \w+)?>;)|(?<=, )\w+(?=>;)/g)))].sort();
    const body = texts.map((text) => text.replace(/`([^`]*)`/g, (_, document) => `\`${document.replace(/\s+/g, ' ').trim()}\``)).join('');
    write(`${folder}-documents`, `import { TypedDocumentString } from './document';\nimport type { ${names.join(', ')} } from './graphql';\n\n${body}`);
  }
  write('graphql', `${imports}${declared.slice(needed.length)}\nexport { TypedDocumentString } from './document';\n`
    + [...modules.keys()].map((folder) => `export * from './${folder}-documents';\n`).join(''));
}

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
