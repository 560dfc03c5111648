// The errors of the contract, from the list that the error pages are generated from.
import { readFileSync } from 'node:fs';

const LIST = new URL('../resources/docs/errors.txt', import.meta.url);
const known = new Map();
for (const line of readFileSync(LIST, 'utf8').trim().split('\n')) {
  const [statuses, error, meaning] = line.split(' | ');
  known.set(error, { statuses: statuses.match(/\d+/g).map(Number), meaning });
}

const shared = new Map();

const snake = (error) => error.toLowerCase().replace(/[^a-z0-9]+/g, '_');
const pascal = (error) => error.replace(/[^A-Za-z0-9]+(.)?/g, (_, next) => (next ?? '').toUpperCase());

const headerRef = (name) => ({ $ref: `#/components/headers/${name}` });

/** A reference to the shared response of a status with one of these errors. */
export function refusal(status, errors) {
  const sorted = [...new Set(errors)].sort();
  sorted.forEach((error) => {
    if (!known.get(error)?.statuses.includes(status)) throw new Error(`errors.txt has no ${status} ${error}`);
  });
  const name =
    sorted.map(pascal).join('Or')
    + (sorted.length === 1 && known.get(sorted[0]).statuses.length > 1 ? status : '');
  if (!shared.has(name)) shared.set(name, response(status, sorted));
  return { $ref: `#/components/responses/${name}` };
}

/** All referenced responses, ordered by status. */
export function responses() {
  const status = (entry) => entry[1]['x-status'];
  return Object.fromEntries([...shared].sort((a, b) => status(a) - status(b) || a[0].localeCompare(b[0])));
}

function response(status, errors) {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: {
      error: { type: 'string', enum: errors },
      name: { type: 'string', enum: errors.map(snake) },
      statusCode: { type: 'integer', const: status },
    },
  };
  const problem = {
    allOf: [{ $ref: '#/components/schemas/Problem' }],
    properties: {
      title: schema.properties.error,
      name: schema.properties.name,
      status: schema.properties.statusCode,
    },
  };
  return {
    description: errors.map((error) => `**${error}**: ${known.get(error).meaning}`).join('\n\n'),
    headers: headers(status),
    content: {
      'application/json': { schema, examples: examples(errors, (error) => body(status, error)) },
      'application/problem+json': {
        schema: problem,
        examples: examples(errors, (error) => problemOf(status, error)),
      },
    },
    'x-status': status,
  };
}

function headers(status) {
  const headers = { 'X-Request-Id': headerRef('RequestId') };
  if (status === 401) headers['WWW-Authenticate'] = headerRef('Challenge');
  if (status === 403) headers['WWW-Authenticate'] = headerRef('MissingScope');
  if (status === 405) headers.Allow = headerRef('Allow');
  if ([409, 429, 503].includes(status)) headers['Retry-After'] = headerRef('RetryAfter');
  return headers;
}

const examples = (errors, value) =>
  Object.fromEntries(errors.map((error) => [snake(error), { summary: error, value: value(error) }]));

const docs = (error) => `https://mail.example/docs/errors/${snake(error)}`;
const REQUEST = '0199f0a4-7c5e-7d70-9a35-5b1f0c2d3e4f';

const body = (status, error) => ({
  success: false,
  error,
  name: snake(error),
  statusCode: status,
  message: known.get(error).meaning,
  request_id: REQUEST,
  docs_url: docs(error),
});

const problemOf = (status, error) => ({
  type: docs(error),
  title: error,
  status,
  detail: known.get(error).meaning,
  name: snake(error),
  request_id: REQUEST,
});
