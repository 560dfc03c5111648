// Checks objects of Kubernetes operators, a JSON array, with the operators' types and schemas:
// node manifests.mjs <objects>
// Prints an array of the errors of each object. Types refuse unknown fields; schemas check patterns and ranges.
// schemas.json has the definitions of Strimzi 1.2, CloudNativePG 1.30, its Barman Cloud plugin and Envoy Gateway, for which
// there are no packages, reduced to the fields that the examples use: fields beside them accept any value.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import ts from 'typescript';

const PACKAGES = {
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};
// A source file that is not stored; the packages are found from its directory.
const FILE = fileURLToPath(new URL('manifests.ts', import.meta.url));
const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

const SCHEMAS = JSON.parse(readFileSync(new URL('schemas.json', import.meta.url), 'utf8'));
const HAVE_SCHEMAS = new Set(Object.keys(SCHEMAS).map((model) => model.split('/')[0]));

const objects = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const hasSchema = ({ apiVersion }) => HAVE_SCHEMAS.has(apiVersion.split('/')[0]);
const models = objects.map(
  ({ apiVersion, kind }) => `${PACKAGES[apiVersion.split('/')[0]]}/${apiVersion}/${kind}`,
);
const errors = objects.map(() => []);

// One line for each object, in which only the fields of its type are allowed.
const source = objects
  .map((object, at) =>
    hasSchema(object)
      ? ''
      : `const object${at}: import('${models[at]}').I${object.kind} = ${JSON.stringify(object)};`,
  )
  .join('\n');
const host = ts.createCompilerHost(OPTIONS);
const { fileExists, getSourceFile } = host;
host.fileExists = (name) => name === FILE || fileExists(name);
host.getSourceFile = (name, ...rest) =>
  name === FILE ? ts.createSourceFile(name, source, ...rest) : getSourceFile(name, ...rest);
const program = ts.createProgram([FILE], OPTIONS, host);
for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE))) {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (!file) throw new Error(text);
  errors[file.getLineAndCharacterOfPosition(start).line].push(text);
}

const ajv = new Ajv({ strict: false, allErrors: true });
for (const [at, object] of objects.entries()) {
  if (hasSchema(object)) {
    const schema = SCHEMAS[`${object.apiVersion}/${object.kind}`];
    if (!schema) errors[at].push(`There is no ${object.apiVersion}/${object.kind}`);
    else if (!ajv.validate(schema, object)) {
      errors[at].push(
        ...ajv.errors.map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        ),
      );
    }
    continue;
  }
  try {
    const { [object.kind]: Model } = await import(models[at]);
    new Model(object).validate();
  } catch (error) {
    errors[at].push(error.message);
  }
}
console.log(JSON.stringify(errors));
