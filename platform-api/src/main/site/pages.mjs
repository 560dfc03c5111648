// The pages of the site: their files in the repository, their addresses, and their order in sections.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Sections of the site with the names of their pages. Pages of docs/ that are named nowhere are guides. */
const SECTIONS = [
  [
    'Quickstarts',
    [
      'quickstart-curl',
      'quickstart-node',
      'quickstart-next',
      'quickstart-java',
      'spring',
      'quickstart-python',
      'quickstart-smtp',
    ],
  ],
  [
    'Guides',
    [
      'accounts',
      'credentials',
      'retries',
      'errors',
      'lists',
      'webhooks',
      'templates',
      'campaign-guide',
      'inbound',
      'senders',
      'tracking-domains',
      'sandbox',
      'testing',
      'versions',
      'resend',
    ],
  ],
  ['Tools', ['sdk-typescript', 'sdk-java', 'cli', 'mcp', 'graphql', 'glossary']],
  [
    'Operation',
    ['operations', 'configuration', 'guarantees', 'refusals', 'performance', 'scaling', 'sites', 'sources'],
  ],
  ['Code', ['tour', 'architecture', 'queue', 'campaigns']],
  ['Runbooks', []],
  ['Licences', ['dependencies', 'dependencies-web', 'dependencies-reference']],
];

/** The sections that are too long for a model to read as a whole. */
const NOT_IN_FULL = ['Runbooks', 'Licences'];

function markdown(root, directory) {
  return readdirSync(join(root, directory))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${directory}/${file}`);
}

/** The name of a page by the path of its file from the root of the repository. */
export function nameOf(path) {
  if (path === 'README.md') return 'index';
  const [, sdk] = /^clients\/(\w+)\/README\.md$/.exec(path) ?? [];
  if (sdk) return `sdk-${sdk}`;
  return posix.basename(path, '.md').replace(/^/, path.startsWith('observability/') ? 'runbooks/' : '');
}

/** All pages with their sections; that of the home is null. */
export function pages(root) {
  const files = [
    ...markdown(root, 'docs'),
    ...['clients/typescript/README.md', 'clients/java/README.md'],
    ...markdown(root, 'observability/runbooks'),
  ];
  const found = new Map(files.map((file) => [nameOf(file), file]));
  const named = new Set(SECTIONS.flatMap(([, names]) => names));
  const rest = [...found.keys()].filter((name) => name !== 'index' && !named.has(name));
  const sections = SECTIONS.map(([section, names]) => [
    section,
    section === 'Runbooks'
      ? rest.filter((name) => name.startsWith('runbooks/'))
      : [
          ...names.filter((name) => found.has(name)),
          ...(section === 'Guides' ? rest.filter((name) => !name.includes('/')) : []),
        ],
  ]);
  return [[null, ['index']], ...sections].flatMap(([section, names]) =>
    names.map((name) => {
      const file = found.get(name);
      const text = readFileSync(join(root, file), 'utf8');
      const [, title] = /^# (.+)$/m.exec(text) ?? [];
      if (!title) throw new Error(`${file} has no heading`);
      return { name, file, section, title, text, full: !NOT_IN_FULL.includes(section) };
    }),
  );
}

/** The code of an example or of a region of it, without the indentation that its lines share. */
export function example(root, path) {
  const [file, region] = path.split('#');
  if (!existsSync(join(root, file))) throw new Error(`There is no ${file}`);
  const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n');
  if (!region) return lines.join('\n');
  const from = lines.findIndex((line) => line.trim().endsWith(`#region ${region}`));
  const to = lines.findIndex((line, at) => at > from && line.trim().endsWith('#endregion'));
  if (from < 0 || to < 0) throw new Error(`${file} has no region ${region}`);
  const part = lines.slice(from + 1, to);
  const indent = Math.min(...part.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return part.map((line) => line.slice(indent)).join('\n');
}
