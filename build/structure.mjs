// Prints size and coupling figures of the main code:  node build/structure.mjs [directory]
// Lists the files that a reader meets from methods on:  node build/structure.mjs directory Type.method,Type.method package…
//   They are the own types that these methods and the ones that they call name, within the packages. Calls through
//   interfaces and in chains are not followed; name their methods as well.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join, basename, dirname } from 'node:path';

const root = process.argv[2] ?? '.';
const modules = readdirSync(root).filter(
  (name) => name !== 'bench' && existsSync(join(root, name, 'src/main/java')),
);

function javaFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? javaFiles(join(directory, entry.name))
      : entry.name.endsWith('.java')
        ? [join(directory, entry.name)]
        : [],
  );
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const files = modules.flatMap((module) => javaFiles(join(root, module, 'src/main/java')));
const types = files.filter((file) => !/(package|module)-info\.java$/.test(file));
const lines = [];
const methods = [];
const packages = new Map();
const fanOut = [];
let packagePrivate = 0;
let commentLines = 0;
let allLines = 0;
for (const file of types) {
  const text = readFileSync(file, 'utf8');
  const rows = text.split('\n').slice(0, -1);
  lines.push([rows.length, basename(file, '.java')]);
  allLines += rows.length;
  commentLines += rows.filter((row) => /^\s*(\/\*\*|\*|\/\/)/.test(row)).length;
  const pkg = dirname(file)
    .replace(/.*\/java\//, '')
    .replaceAll('/', '.');
  packages.set(pkg, [...(packages.get(pkg) ?? []), basename(file, '.java')]);
  if (!/^public /m.test(text)) packagePrivate++;
  fanOut.push([new Set(text.match(/^import dev\.mailroom\.[\w.]+/gm) ?? []).size, basename(file, '.java')]);
  for (let i = 0; i < rows.length; i++) {
    if (
      /^\t+(?!return|throw|new|else|if|for|while|switch|try|catch|synchronized)[\w<>@.,?[\] ]+\([^;]*$/.test(
        rows[i],
      )
      && !/^\t+(class|record|interface|enum|\.)/.test(rows[i])
      && !/\brecord \w+\(/.test(rows[i])
    ) {
      const indent = rows[i].match(/^\t+/)[0];
      let open = i;
      while (open < rows.length && !rows[open].endsWith('{') && !rows[open].endsWith(';')) open++;
      const end = rows.indexOf(indent + '}', open);
      if (rows[open]?.endsWith('{') && end > 0)
        methods.push([end - open - 1, `${basename(file, '.java')}:${i + 1}`]);
    }
  }
}

const size = (list) => list.map(([number]) => number);
const top = (list, count) =>
  [...list]
    .sort((a, b) => b[0] - a[0])
    .slice(0, count)
    .map(([number, name]) => `${name} ${number}`)
    .join(', ');
const crowded = [...packages].map(([name, members]) => [members.length, name]);
console.log(`types                     ${types.length} in ${packages.size} packages`);
console.log(
  `file lines, median / max  ${median(size(lines))} / ${Math.max(...size(lines))} (${top(lines, 4)})`,
);
console.log(
  `method lines, median / max ${median(size(methods))} / ${Math.max(...size(methods))} (${top(methods, 3)})`,
);
console.log(`largest packages          ${top(crowded, 6)}`);
console.log(`package-private types     ${Math.round((100 * packagePrivate) / types.length)} %`);
console.log(`comment lines             ${Math.round((100 * commentLines) / allLines)} %`);
console.log(`most imports of own types ${top(fanOut, 6)}`);
console.log(`lines by module           ${modules.map((module) => `${module} ${sum(module)}`).join(', ')}`);
console.log(
  `files above 400 lines     ${lines
    .filter(([number]) => number > 400)
    .sort((a, b) => b[0] - a[0])
    .map(([number, name]) => `${name} ${number}`)
    .join(', ')}`,
);

function sum(module) {
  return files
    .filter((file) => file.startsWith(join(root, module) + '/'))
    .reduce((total, file) => total + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

const [entry, ...within] = process.argv.slice(3);
if (entry) walk(entry.split(','), within);

function walk(first, within) {
  const sources = new Map();
  for (const file of types) {
    const pkg = dirname(file)
      .replace(/.*\/dev\/mailroom\/?/, '')
      .replaceAll('/', '.');
    if (within.includes(pkg)) sources.set(basename(file, '.java'), readFileSync(file, 'utf8'));
  }
  const met = new Set();
  const called = new Set(first);
  for (const call of called) {
    const [type, method] = call.split('.');
    met.add(type);
    const variables = declared(fields(sources.get(type)));
    for (const body of bodies(sources.get(type), method)) {
      for (const word of body.match(/\b[A-Z]\w+/g) ?? []) if (sources.has(word)) met.add(word);
      const known = new Map([...variables, ...declared(body)]);
      for (const [, owner, name] of body.matchAll(/(?:\bthis\.)?(\w+)(?:\.|::)(\w+)\b/g)) {
        const target = owner === 'this' ? type : sources.has(owner) ? owner : known.get(owner);
        if (sources.has(target) && bodies(sources.get(target), name).length > 0)
          called.add(`${target}.${name}`);
      }
      for (const [, name] of body.matchAll(/(?<![.\w])([a-z]\w*)\(/g))
        if (bodies(sources.get(type), name).length > 0) called.add(`${type}.${name}`);
    }
  }
  const rows = [...met].map((name) => sources.get(name).split('\n').length - 1);
  console.log(
    `\nfrom ${first.join(', ')}: ${met.size} files, ${rows.reduce((a, b) => a + b, 0)} lines, ${called.size} methods\n${[...met].join(', ')}`,
  );
}

/** The code without comments and imports. */
function code(source) {
  return source.replace(/\/\*[^]*?\*\/|\/\/.*|^import .*/gm, '');
}

function fields(source) {
  return code(source)
    .split('\n')
    .filter(
      (row) => /^\t+(private|final|static|protected|volatile|[A-Z]).*[;=]/.test(row) && !row.includes('('),
    )
    .join('\n');
}

/** Names of variables, each with the type that it is declared with. */
function declared(text) {
  return [...text.matchAll(/\b([A-Z]\w+)(?:<[^()=;]*?>)? (\w+)\b/g)].map(([, type, name]) => [name, type]);
}

/** The methods of a name, each with its signature. */
function bodies(source, name) {
  const rows = code(source).split('\n');
  const found = [];
  rows.forEach((row, start) => {
    const head = row.match(/^(\t+)(?!return|throw|new|else|\.)[\w<>@.,?[\] ]*?\b(\w+)\(/);
    if (head?.[2] !== name || /^\t+(return|throw|new|if|for|while|switch|catch)\b/.test(row)) return;
    let open = start;
    while (open < rows.length && !/[{;]$/.test(rows[open])) open++;
    if (!rows[open]?.endsWith('{')) return;
    const end = rows.indexOf(`${head[1]}}`, open);
    if (end > 0) found.push(rows.slice(start, end).join('\n'));
  });
  return found;
}
