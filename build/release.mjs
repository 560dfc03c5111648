// Builds what a release publishes, twice and at different places, and checks it: POMs, jars, components, checksums, the
// npm package, and that both builds are equal. Without an address, one is invented.
// node build/release.mjs <new directory> [address of the repository]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = ['clients/java', 'clients/spring-boot-starter', 'clients/spring-boot-test', 'clients/cli'];
const ARTIFACTS = [
  'mailroom-java',
  'mailroom-spring-boot-starter',
  'mailroom-spring-boot-test',
  'mailroom-cli',
];
const CHECKSUMS = ['md5', 'sha1'];
const root = fileURLToPath(new URL('..', import.meta.url));
const [target, home = 'https://git.mailroom.test/mailroom'] = process.argv.slice(2);
assert.ok(
  target && !existsSync(target),
  'node build/release.mjs <new directory> [address of the repository]',
);

const run = (cwd, program, ...given) =>
  execFileSync(program, given, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const show = (cwd, program, ...given) =>
  execFileSync(program, given, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
const digest = (file, kind) => createHash(kind).update(readFileSync(file)).digest('hex');
const within = (text, name) => new RegExp(`<${name}(?: [^>]*)?>([^]*?)</${name}>`).exec(text)?.[1];

/** The files of a folder, with paths below it. */
const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();

function build(place) {
  for (const file of run(root, 'git', 'ls-files', '-coz', '--exclude-standard').split('\0').filter(Boolean)) {
    cpSync(join(root, file), join(place, file));
  }
  const staging = join(place, 'staging');
  const properties = [
    `-Dhome.url=${home}`,
    `-DaltDeploymentRepository=local::file:${staging}`,
    '-DskipTests',
  ];
  show(place, 'mvn', '-B', '-ntp', '-q', '-Prelease', ...properties, '-pl', MODULES.join(), '-am', 'deploy');
  const sdk = join(place, 'clients/typescript');
  show(sdk, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--prefer-offline');
  show(sdk, 'npm', 'run', '--silent', 'build');
  mkdirSync(join(staging, 'npm'));
  show(sdk, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', join(staging, 'npm'));
  return staging;
}

/** The POM is complete by itself, and names nothing that is not published. */
function checkPom(pom, artifact) {
  const fields = [
    'groupId',
    'artifactId',
    'version',
    'name',
    'description',
    'url',
    'licenses',
    'developers',
    'scm',
  ];
  fields.forEach((field) => assert.ok(within(pom, field)?.trim(), `${artifact} has no ${field}`));
  assert.equal(within(pom, 'parent'), undefined, `${artifact} has a parent`);
  assert.equal(within(pom, 'url'), home);
  assert.doesNotMatch(pom, /\$\{|SNAPSHOT|<scope>test/, artifact);
  const dependencies = pom.split('<dependency>').slice(1);
  dependencies.forEach((it) =>
    assert.ok(within(it, 'version'), `${artifact} has a dependency without a version`),
  );
  const own = dependencies.filter((it) => within(it, 'groupId') === 'dev.mailroom');
  own.forEach((it) => assert.ok(ARTIFACTS.includes(within(it, 'artifactId')), `${artifact} needs ${it}`));
  return dependencies.filter((it) => !within(it, 'optional') && within(it, 'scope') !== 'provided');
}

function checkArtifact(staging, artifact) {
  const [version, ...others] = readdirSync(join(staging, 'dev/mailroom', artifact), { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => it.name);
  assert.deepEqual(others, []);
  const file = (suffix) =>
    join(staging, 'dev/mailroom', artifact, version, `${artifact}-${version}${suffix}`);
  const suffixes = ['.pom', '.jar', '-sources.jar', '-javadoc.jar', '-cyclonedx.json'];
  if (artifact === 'mailroom-cli') suffixes.push('.tar.gz');
  for (const suffix of suffixes) {
    CHECKSUMS.forEach((kind) =>
      assert.equal(readFileSync(`${file(suffix)}.${kind}`, 'utf8').trim(), digest(file(suffix), kind)),
    );
  }
  const needed = checkPom(readFileSync(file('.pom'), 'utf8'), artifact);
  if (artifact === 'mailroom-java') assert.deepEqual(needed, [], 'mailroom-java has dependencies');
  const names = (suffix) => run(staging, 'unzip', '-Z1', file(suffix)).split('\n');
  const classes = names('.jar').filter((name) => /\/[A-Z][^$]*\.class$/.test(name));
  const sources = new Set(names('-sources.jar'));
  classes.forEach((name) => assert.ok(sources.has(name.replace('.class', '.java')), `no source of ${name}`));
  assert.ok(names('-javadoc.jar').includes('index.html'));
  const compiled = execFileSync('unzip', ['-p', file('.jar'), classes[0]]);
  assert.ok(compiled.readUInt16BE(6) <= 61, 'the classes are not for Java 17');
  const bom = JSON.parse(readFileSync(file('-cyclonedx.json'), 'utf8'));
  assert.equal(bom.bomFormat, 'CycloneDX');
  assert.equal(bom.metadata.component.name, artifact);
  needed.forEach((it) =>
    assert.ok(
      bom.components.some(({ name }) => name === within(it, 'artifactId')),
      it,
    ),
  );
  console.log(`${artifact} ${version}: ${suffixes.join(' ')}, ${bom.components?.length ?? 0} components`);
}

const temporary = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const [first, second] = ['one', 'another/place'].map((name) => build(join(temporary, name)));
  ARTIFACTS.forEach((artifact) => checkArtifact(first, artifact));
  assert.deepEqual(readdirSync(join(first, 'dev/mailroom')).sort(), [...ARTIFACTS].sort());
  // The metadata of a folder has the time of the build; a repository writes its own.
  const published = (staging) =>
    files(staging).filter((name) => !basename(name).startsWith('maven-metadata'));
  const names = published(first);
  assert.deepEqual(published(second), names);
  const sum = (staging, name) => digest(join(staging, name), 'sha256');
  assert.deepEqual(
    names.filter((name) => sum(first, name) !== sum(second, name)),
    [],
    'two builds differ',
  );
  console.log(`${names.length} files, equal in two builds`);
  cpSync(first, target, { recursive: true });
} finally {
  rmSync(temporary, { recursive: true });
}
