// Compares the CPU time of a delivered mail in this checkout with that in another one, by quick benchmarks in turns:
//   node build/compare.mjs ../other-checkout [rounds] [rows]
// The load of the machine changes from one minute to the next, so only ratios within a round are compared.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const [other, rounds = '5', rows = 'G3,G4,G5'] = process.argv.slice(2);
if (!other) {
  console.error('node build/compare.mjs ../other-checkout [rounds] [rows]');
  process.exit(2);
}
const checkouts = [resolve(other), resolve(import.meta.dirname, '..')];
const line = /^ +([A-Z_]+) +([\d,.]+)\/s +([\d,.]+) us each(.*)$/;

function measure(checkout) {
  const maven = ['-q', '-B', '-ntp', '-Pfigures', 'test', '-Dfigures.quick=true', `-Dfigures.rows=${rows}`];
  const run = spawnSync('mvn', maven, { cwd: checkout, encoding: 'utf8', maxBuffer: 1 << 28 });
  const values = new Map();
  for (const [, figure, , micros, parts] of run.stdout.split('\n').map((text) => line.exec(text) ?? [])) {
    if (figure) values.set(figure, { micros: Number(micros.replaceAll(',', '')), parts });
  }
  if (values.size === 0)
    throw new Error(`${checkout}: nothing was measured\n${run.stdout.slice(-4000)}${run.stderr}`);
  return values;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

const measured = [];
for (let round = 1; round <= Number(rounds); round++) {
  // Each checkout is first in every second round.
  const order = round % 2 ? [0, 1] : [1, 0];
  const pair = [];
  for (const index of order) {
    pair[index] = measure(checkouts[index]);
    for (const [figure, { micros, parts }] of pair[index])
      console.log(
        `round ${round} ${index ? 'this ' : 'other'} ${figure.padEnd(20)} ${micros} us each${parts}`,
      );
  }
  measured.push(pair);
}
console.log('\nmedians of the rounds: other, this (us each), this / other');
for (const figure of measured[0][1].keys()) {
  const pairs = measured.filter(([a, b]) => a.has(figure) && b.has(figure));
  const [before, now] = [0, 1].map((index) => median(pairs.map((pair) => pair[index].get(figure).micros)));
  const ratio = median(pairs.map(([a, b]) => b.get(figure).micros / a.get(figure).micros));
  console.log(`${figure.padEnd(20)} ${before} ${now} ${ratio.toFixed(2)}`);
}
