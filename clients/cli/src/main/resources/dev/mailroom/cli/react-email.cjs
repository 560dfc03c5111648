// Renders templates of React Email with the packages of their project: node - FILE... prints JSON. Each property is its
// placeholder, unless the template exports other values as templateProps.
const { createRequire, Module } = require('node:module');
const { dirname } = require('node:path');

for (const name of ['debug', 'error', 'info', 'log', 'warn']) console[name] = () => {};

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };
const PLACEHOLDER = /\{\{[^{}]*}}/g;

/** The packages of the project; react-email brings those that are not installed beside it. */
function packages(file) {
  const own = createRequire(file);
  const from = [own];
  try {
    from.push(createRequire(own.resolve('react-email')));
  } catch {
    // The project may have @react-email/render and esbuild alone.
  }
  const load = (name) => {
    for (const required of from) {
      try {
        return required(name);
      } catch (error) {
        if (error.code !== 'MODULE_NOT_FOUND') throw error;
      }
    }
    throw new Error(`it needs ${name}: npm install react react-dom react-email`);
  };
  return { esbuild: load('esbuild'), react: load('react'), render: load('@react-email/render').render };
}

async function template(file, esbuild) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    jsx: 'automatic',
    write: false,
    logLevel: 'silent',
  });
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(dirname(file));
  module._compile(outputFiles[0].text, file);
  if (typeof module.exports.default !== 'function') throw new Error('its default export is no component');
  return module.exports;
}

/** Properties that are placeholders, or those of templateProps. */
const placeholders = (given) =>
  new Proxy(given, {
    get: (own, name) =>
      name in own ? own[name] : typeof name === 'symbol' || name === 'children' ? undefined : `{{${name}}}`,
  });

/** The same values without texts. */
function empty(value) {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map(empty);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, empty(it)]));
}

/** The elements of a page, each with its place. */
const elements = (html) =>
  [...html.matchAll(/<\/?([a-z][\w:-]*)/gi)].map(({ 0: tag, index }) => ({ tag, index }));

/** Refuses what depends on values, as a stored template has no conditions and no loops. */
function compare(html, other) {
  const [all, fewer] = [elements(html), elements(other)];
  const differs = all.findIndex(({ tag }, i) => tag !== fewer[i]?.tag);
  if (differs < 0 && all.length === fewer.length) return;
  const place = differs < 0 ? html.slice(-80) : html.slice(all[differs].index, all[differs].index + 80);
  throw new Error(`it has other elements without values, which a stored template cannot keep: ${place}`);
}

async function render(file) {
  const { esbuild, react, render } = packages(file);
  const { default: component, templateProps = {} } = await template(file, esbuild);
  const page = (props, options) =>
    render(
      react.createElement(() => component(props)),
      options,
    );
  const raw = await page(placeholders(templateProps));
  let without;
  try {
    without = await page(empty(templateProps));
  } catch (error) {
    throw new Error(`it computes with values, which a stored template cannot: ${error.message}`);
  }
  compare(raw, without);
  const html = raw.replace(PLACEHOLDER, (it) =>
    it.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]),
  );
  // Headings become capitals in the text, but names keep their case.
  const names = new Map((html.match(PLACEHOLDER) ?? []).map((it) => [it.toUpperCase(), it]));
  const text = await page(placeholders(templateProps), { plainText: true });
  return { html, text: text.replace(PLACEHOLDER, (it) => names.get(it.toUpperCase()) ?? it) };
}

async function main() {
  const results = [];
  for (const file of process.argv.slice(2)) {
    try {
      results.push(await render(file));
    } catch (error) {
      results.push({ error: String(error?.message ?? error) });
    }
  }
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}

main();
