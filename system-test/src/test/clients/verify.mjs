// Verifies a message's DKIM signatures as a receiver would: node verify.mjs <message> <records>
// The records, host to text, stand in for DNS. Prints a line for each signature: algorithm, domain,
// whether it is aligned with the author, result.
import { readFileSync } from 'node:fs';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

const [message, records] = process.argv.slice(2);
const texts = JSON.parse(readFileSync(records, 'utf8'));

async function resolver(name, type) {
  const text = texts[name];
  if (type === 'TXT' && text) return [[text]];
  throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' });
}

const { results } = await dkimVerify(readFileSync(message), { resolver });
for (const { algo, signingDomain, status } of results)
  console.log(`${algo} ${signingDomain}${status.aligned ? ' aligned' : ''} ${status.result}`);
