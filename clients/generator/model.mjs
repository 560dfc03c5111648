// Reads the OpenAPI document into what the templates need: operations by group, schemas, events and names of errors.

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];

/** The last part of a reference. */
export const target = (reference) => reference.split('/').at(-1);

export const pascal = (text) => text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter) => letter.toUpperCase());

export const camel = (text) => text.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter) => letter.toUpperCase());

export function read(document) {
  const { schemas, parameters, responses, headers } = document.components;
  const resolved = (node) =>
    node?.$ref
      ? { parameters, responses, headers, schemas }[node.$ref.split('/').at(-2)][target(node.$ref)]
      : node;
  // The transports read this from the header Idempotency-Replayed.
  schemas.AcceptedEmail.properties.replayed = {
    type: 'boolean',
    description:
      'True if a request with the same Idempotency-Key had sent the mail before; absent otherwise.',
  };
  const operations = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const verb of VERBS.filter((it) => item[it])) {
      const found = item[verb];
      if (!found['x-sdk']) throw new Error(`${found.operationId} has no x-sdk`);
      if (found['x-sdk'] !== 'none') operations.push(operation(path, verb, found, resolved));
    }
  }
  const used = new Set();
  operations.forEach(({ body, result, query }) =>
    collect([body?.schema, result.schema, ...query.map((it) => it.schema)]),
  );
  const events = Object.entries(document.webhooks).map(([kind, { post }]) => {
    const schema = schemas[target(post.requestBody.content['application/json'].schema.$ref)];
    const data = target(schema.properties.data.$ref);
    collect([schema.properties.data]);
    return { kind, name: `${pascal(kind)}Event`, data, description: schema.description };
  });
  collect([{ $ref: '#/components/schemas/EventKind' }]);

  /** Notes all schemas that a schema refers to. */
  function collect(node) {
    if (Array.isArray(node)) node.forEach(collect);
    else if (node && typeof node === 'object') {
      if (typeof node.$ref === 'string' && !used.has(target(node.$ref))) {
        used.add(target(node.$ref));
        collect(schemas[target(node.$ref)]);
      }
      Object.entries(node).forEach(([key, value]) => !/^examples?$/.test(key) && collect(value));
    }
  }

  const named = [...used].sort().map((name) => ({ name, schema: schemas[name] }));
  return {
    operations,
    schemas: named,
    events,
    errors: errorNames(responses),
    version: document.info.version,
    apiVersion: document.info['x-api-version'],
  };
}

function operation(path, verb, found, resolved) {
  const { group, method } = found['x-sdk'];
  const parameters = (found.parameters ?? []).map(resolved);
  const inPath = parameters.filter((it) => it.in === 'path');
  const query = parameters.filter((it) => it.in === 'query' && !['page', 'cursor'].includes(it.name));
  const [status] = Object.keys(found.responses).filter((it) => it.startsWith('2'));
  const version = resolved(found.responses[status]).headers['Api-Version'];
  if (!version) throw new Error(`${found.operationId} names no version`);
  const sandbox = found['x-sandbox-permission'];
  return {
    id: found.operationId,
    group,
    method,
    verb: verb.toUpperCase(),
    path,
    // Called id if it is the id of the group's own thing.
    ids: inPath.map(({ name, description, 'x-thing': thing }) => ({
      name,
      as: name === 'id' && thing && !group.startsWith(thing) ? `${thing}Id` : name,
      description,
    })),
    query,
    body: body(found.requestBody),
    idempotent: parameters.some((it) => it.name === 'Idempotency-Key'),
    paged: parameters.some((it) => it.name === 'cursor'),
    result: result(resolved(found.responses[status])),
    summary: found.summary,
    description: found.description,
    permission: [found['x-permission'], sandbox].filter((it) => it && it !== 'any').join(' or '),
  };
}

function body(found) {
  if (!found) return undefined;
  const [[type, { schema }]] = Object.entries(found.content);
  return { type, schema, required: found.required !== false };
}

/** The resource in a response: `pick` is the path to it in the body, from which success and messages are left out. */
function result({ content }) {
  const [[type, { schema }]] = Object.entries(content);
  if (type !== 'application/json') return { kind: type === 'text/csv' ? 'stream' : 'bytes' };
  if (schema.$ref && target(schema.$ref) === 'Deleted') return { kind: 'nothing' };
  const data = schema.properties?.data;
  if (!data) return { kind: 'json', pick: [], schema };
  const fields = Object.keys(data.properties ?? {});
  const rest = fields.filter((it) => it !== 'pagination');
  if (fields.includes('pagination'))
    return { kind: 'list', pick: ['data', rest[0]], schema: data.properties[rest[0]].items };
  return rest.length === 1
    ? { kind: 'json', pick: ['data', rest[0]], schema: data.properties[rest[0]] }
    : { kind: 'json', pick: ['data'], schema: data };
}

function errorNames(responses) {
  const names = Object.values(responses).flatMap(
    (it) => it.content['application/json'].schema.properties.name.enum,
  );
  return [...new Set(names)].sort();
}

/** A schema with what its null and its reference say apart. */
export function plain(schema) {
  const either = schema.anyOf ?? schema.oneOf;
  if (either?.some((it) => it.type === 'null'))
    return { ...plain(either.find((it) => it.type !== 'null')), nullable: true };
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const rest = schema.type.filter((it) => it !== 'null');
    return { ...schema, type: rest.length === 1 ? rest[0] : rest, nullable: true };
  }
  return schema;
}

/** Operations by their group. */
export function grouped(operations) {
  const groups = new Map();
  operations.forEach((it) => groups.set(it.group, [...(groups.get(it.group) ?? []), it]));
  return groups;
}
