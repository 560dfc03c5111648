// Expands the short form of an operation in the parts to a complete OpenAPI operation.
import { refusal } from './errors.mjs';

const SECURITY = {
  jwt: [{ accessToken: [] }],
  key: [{ apiKey: [] }],
  either: [{ accessToken: [] }, { apiKey: [] }],
  account: [{ accessToken: [] }, { accountKey: [] }],
  none: [],
};

const sent = (description) => ({ description, required: true, schema: { type: 'string' } });

/** Headers of deprecated operations. */
const ENDING = {
  Deprecation: sent('The time since which the operation is deprecated (RFC 9745).'),
  Sunset: sent('The time of its end (RFC 8594).'),
  Link: sent('The page that says what replaces it, with the relation `deprecation`.'),
};

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const parameter = (name) => ({ $ref: `#/components/parameters/${name}` });
const header = (name) => ({ $ref: `#/components/headers/${name}` });

const credential = (short) =>
  short.credential ?? (short.root ? 'none' : short.permission ? 'account' : 'jwt');

export function operation(short, schemas) {
  const whole = {
    operationId: short.name,
    tags: [short.tag],
    summary: short.does,
    ...(short.says && { description: short.says }),
    'x-credential': credential(short),
    'x-permission': short.permission ?? 'none',
    'x-sdk': sdk(short),
    ...(short.sandbox && { 'x-sandbox-permission': 'emails.sandbox' }),
    ...(short.deprecated && { deprecated: true, 'x-deprecation': deprecation(short) }),
    security: SECURITY[credential(short)],
  };
  const parameters = [
    ...pathParameters(short),
    ...queryParameters(short),
    ...(short.idempotent ? [parameter('IdempotencyKey')] : []),
  ];
  if (parameters.length) whole.parameters = parameters;
  if (short.body) whole.requestBody = body(short, schemas);
  const { alsoCreates } = short;
  whole.responses = {
    [short.status ?? 200]: answer(short, schemas),
    ...(alsoCreates && { 201: answer({ ...short, gives: alsoCreates }, schemas) }),
    ...refusals(short),
    ...short.also,
  };
  return whole;
}

/** The method of the SDKs. Operations that are closed to keys have none, nor has a second path to one. */
function sdk({ name, sdk, root, permission }) {
  if (sdk === 'none') return sdk;
  if (!sdk !== (root || !permission)) throw new Error(`${name} ${sdk ? 'is not for keys' : 'needs sdk'}`);
  const [group, method] = (sdk ?? '').split('.');
  return sdk ? { group, method } : 'none';
}

/** The start and the end of a deprecation, from which the server makes headers, and the page that says what to use. */
function deprecation({ name, deprecated: { since, sunset, link } }) {
  const notice = new Date(since);
  notice.setUTCFullYear(notice.getUTCFullYear() + 1);
  if (!link || !(new Date(sunset) >= notice))
    throw new Error(`${name} needs a link and twelve months' notice`);
  return { since, sunset, link };
}

function pathParameters({ path, ids }) {
  return [...path.matchAll(/\{(\w+)}/g)].map(([, name]) => {
    const { says, missing, thing, ...schema } = ids[name] ?? {};
    if (!says) throw new Error(`${path} does not describe ${name}`);
    return {
      name,
      in: 'path',
      required: true,
      description: says,
      ...(thing && { 'x-thing': thing }),
      schema: Object.keys(schema).length ? schema : ref('Id'),
    };
  });
}

function queryParameters({ list, query }) {
  const parameters = list ? [parameter('Page'), limit(list), parameter('Cursor')] : [];
  for (const [name, { says, required, thing, ...schema }] of Object.entries(query ?? {})) {
    parameters.push({
      name,
      in: 'query',
      required: required ?? false,
      description: says,
      ...(thing && { 'x-thing': thing }),
      schema,
    });
  }
  return parameters;
}

const limit = ({ usual = 50, most = 100 }) => ({
  name: 'limit',
  in: 'query',
  required: false,
  description: 'Number of items per page.',
  schema: { type: 'integer', minimum: 1, maximum: most, default: usual },
});

function body({ body, bodyOptional, method, path }, schemas) {
  const {
    type = 'application/json',
    schema,
    example,
    says,
  } = typeof body === 'string' ? { schema: ref(body), example: schemas[body]?.example } : body;
  if (example === undefined) throw new Error(`${method} ${path} has a body without an example`);
  return {
    required: !bodyOptional,
    ...(says && { description: says }),
    content: { [type]: { schema, example } },
  };
}

function answer(short, schemas) {
  const headers = { 'X-Request-Id': header('RequestId') };
  if (!short.root) {
    headers['Api-Version'] = header('ApiVersion');
    headers['Cache-Control'] = header('NoStore');
  }
  if (credential(short) !== 'none')
    for (const name of ['Limit', 'Remaining', 'Reset'])
      headers[`RateLimit-${name}`] = header(`RateLimit${name}`);
  if (credential(short) !== 'none') {
    headers['RateLimit-Policy'] = header('RateLimitPolicy');
    headers.RateLimit = header('RateLimit');
  }
  if (short.idempotent) headers['Idempotency-Replayed'] = header('Replayed');
  if (short.deprecated) Object.assign(headers, ENDING);
  if (short.headers)
    short.headers.forEach((name) => (headers[name.replace(/([a-z])([A-Z])/g, '$1-$2')] = header(name)));
  const content = short.content ?? { 'application/json': shape(short, schemas) };
  if (short.streams) content['text/event-stream'] = { schema: { type: 'string' } };
  return { description: short.gives ?? given(short), headers, ...(short.empty ? {} : { content }) };
}

function given({ one, list, bare, deleted }) {
  if (list) return 'A page of the list.';
  if (deleted) return 'The id of the deleted resource.';
  return one || bare
    ? `The ${(one?.name ?? bare).replace(/([A-Z])/g, (upper) => ` ${upper.toLowerCase()}`).trim()}.`
    : 'The result.';
}

function shape({ one, list, bare, data, deleted, message, success }, schemas) {
  if (bare) return { schema: ref(bare), example: example(bare, schemas) };
  if (deleted) return { schema: ref('Deleted'), example: example('Deleted', schemas) };
  if (data) return envelope(ref(data), example(data, schemas), message);
  const thing = one ?? list;
  const properties = list
    ? { [list.name]: { type: 'array', items: ref(list.of) }, pagination: ref('Pagination') }
    : { [one.name]: thing.all ? { type: 'array', items: ref(thing.of) } : ref(thing.of) };
  const shown = example(thing.of, schemas);
  const examples = list
    ? { [list.name]: [shown], pagination: { page: 1, limit: list.usual ?? 50, total: 1, totalPages: 1 } }
    : { [one.name]: thing.all ? [shown] : shown };
  const required = Object.keys(properties);
  return envelope({ type: 'object', required, properties }, examples, message, success);
}

function envelope(data, example, message, success = true) {
  const properties = {
    ...(success && { success: { type: 'boolean', const: true } }),
    data,
    ...(message && { message: { type: 'string', description: 'A human-readable message.' } }),
  };
  return {
    schema: { type: 'object', required: Object.keys(properties), properties },
    example: { ...(success && { success: true }), data: example, ...(message && { message: 'It is done.' }) },
  };
}

function example(name, schemas) {
  if (schemas[name]?.example === undefined) throw new Error(`The schema ${name} has no example`);
  return schemas[name].example;
}

/** The errors of an operation by status: its own and those that all operations of its kind share. */
function refusals(short) {
  const all = {};
  const add = (status, ...errors) => (all[status] ??= []).push(...errors);
  for (const [status, errors] of Object.entries(short.errors ?? {})) add(status, ...errors);
  Object.values(short.ids).forEach(({ missing }) => missing && short.path.includes('{') && add(404, missing));
  if (!short.root) {
    add(400, short.invalid ?? 'Invalid request data');
    add(429, 'Rate limit exceeded');
    add(500, 'Internal error');
    add(503, 'Service unavailable');
    if (credential(short) !== 'none') {
      add(401, 'Unauthorized');
      add(403, 'Forbidden');
      add(421, 'Misdirected');
    }
    if (short.body) add(415, 'Unsupported media type');
    if (short.body || short.idempotent) add(413, 'Payload too large');
    if (short.idempotent) add(409, 'Idempotency key reused', 'Request in progress');
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, errors]) => [status, refusal(Number(status), errors)]),
  );
}
