// The templates for Java. Fields are in camel case. The formatter of the build wraps the lines.
import { camel, grouped, pascal, plain, target } from './model.mjs';

/** Groups whose generated part is extended by a hand-written class of the group's name. */
const EXTENDED = ['emails', 'domains', 'contacts', 'suppressions', 'events'];

/** Methods that the hand-written classes replace by one that takes more. */
const WRAPPED = ['emails.sendBatch', 'contacts.saveAll', 'suppressions.addAll', 'events.list'];

/** Schemas without a type of their own. */
const PLAIN = ['Id', 'Time', 'KeyPrefix', 'Addresses', 'Pagination', 'Deleted', 'BatchAnswer', 'BatchItem'];

const HEAD = 'package dev.mailroom.sdk;\n\n';

const constant = (text) => text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

export function java(model) {
  const context = {
    schemas: new Map(model.schemas.map((it) => [it.name, it.schema])),
    requests: requests(model),
  };
  const files = {};
  for (const { name, schema } of model.schemas.filter((it) => !PLAIN.includes(it.name))) {
    const make = schema.enum ? openEnum : context.requests.has(name) ? request : record;
    files[`${name}.java`] = unit(make(name, schema, context));
  }
  for (const [group, operations] of grouped(model.operations)) {
    operations
      .filter((it) => it.query.length)
      .forEach((it) => (files[`${queryName(it)}.java`] = unit(query(it, context))));
    const taken = EXTENDED.includes(group) || context.schemas.has(pascal(group));
    const name = pascal(group) + (taken ? 'Operations' : '');
    files[`${name}.java`] = unit(operationsOf(group, name, operations, context));
  }
  model.events.forEach((event) => (files[`${event.name}.java`] = unit(eventRecord(event))));
  files['WebhookEvent.java'] = unit(webhookEvent(model.events));
  files['WebhookEvents.java'] = unit(eventReader(model.events));
  files['ErrorNames.java'] = unit(errorNames(model.errors));
  files['Versions.java'] = unit(
    `/** The versions of this library and of the API that it was generated from. */\nfinal class Versions {\n\nstatic final String LIBRARY = "${model.version}";\n\nstatic final String API = "${model.apiVersion}";\n\nprivate Versions() {\n}\n\n}\n`,
  );
  return files;
}

/** Schemas that only bodies of requests contain. */
function requests({ operations, schemas }) {
  const byName = new Map(schemas.map((it) => [it.name, it.schema]));
  const reached = (nodes) => {
    const found = new Set();
    const visit = (node) => {
      if (Array.isArray(node)) return node.forEach(visit);
      if (!node || typeof node !== 'object') return undefined;
      const name = typeof node.$ref === 'string' && target(node.$ref);
      if (name && !found.has(name)) {
        found.add(name);
        visit(byName.get(name));
      }
      return Object.entries(node).forEach(([key, value]) => /^examples?$/.test(key) || visit(value));
    };
    visit(nodes);
    return found;
  };
  const sent = reached(operations.map((it) => it.body?.schema));
  const received = reached(operations.map((it) => it.result.schema));
  const objects = [...sent].filter((name) => byName.get(name).properties);
  const both = objects.filter((name) => received.has(name));
  if (both.length) throw new Error(`${both.join(', ')} is sent and received`);
  return new Set(objects);
}

/** A compilation unit with the imports that its text needs. */
function unit(text) {
  const known = {
    Instant: 'java.time.Instant',
    List: 'java.util.List',
    Map: 'java.util.Map',
    InputStream: 'java.io.InputStream',
    Consumer: 'java.util.function.Consumer',
    Base64: 'java.util.Base64',
    Nullable: 'org.jspecify.annotations.Nullable',
  };
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '');
  const used = Object.entries(known).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
  const java = used.filter(([, it]) => it.startsWith('java')).map(([, it]) => `import ${it};\n`);
  const others = used.filter(([, it]) => !it.startsWith('java')).map(([, it]) => `import ${it};\n`);
  const imports = [java.sort().join(''), others.join('')].filter(Boolean).join('\n');
  return `${HEAD}${imports}${imports && '\n'}${text}`;
}

function doc(text, parameters = []) {
  const clean = (it) =>
    it
      .trim()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('@', '&#64;')
      .replaceAll('*/', '*&#47;')
      .replace(/`([^`]*)`/g, '<code>$1</code>')
      .replace(/\s*\n\s*/g, ' ');
  const lines = [
    ...clean(text).split('\n'),
    ...parameters.map(([name, says]) => `@param ${name} ${clean(says)}`),
  ];
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

const sentence = (text) => `${text.trim().replace(/\.$/, '')}.`;

const words = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

const article = (name) => (/^[aeio]/i.test(name) ? 'An' : 'A');

function openEnum(name, schema) {
  const constants = schema.enum.map(
    (it) => `/** {@code ${it}}. */\npublic static final ${name} ${constant(it)} = new ${name}("${it}");\n\n`,
  );
  return `${doc(`${sentence(schema.description ?? `${article(name)} ${words(name)}`)} The API may add values.`, [['value', 'the text in the API']])}public record ${name}(String value) {\n\n${constants.join('')}@Override\npublic String toString() {\nreturn this.value;\n}\n\n}\n`;
}

/** The type of a field: `java`, how it is read from an object, and whether it may be null. */
function field(owner, name, schema, required, context) {
  const flat = plain(schema);
  const nullable = !required || flat.nullable;
  const key = `"${name}"`;
  const of = (javaType, getter, primitive = javaType) => ({
    java: nullable ? `@Nullable ${javaType}` : primitive,
    read: `json.${getter}${nullable ? 'OrNull' : ''}(${key})`,
  });
  const object = (type) => ({
    java: nullable ? `@Nullable ${type}` : type,
    read: nullable ? `json.read(${key}, ${type}::of)` : `${type}.of(json.object(${key}))`,
  });
  const named = flat.$ref && target(flat.$ref);
  if (named === 'Time' || (!named && flat.format === 'date-time')) return of('Instant', 'time');
  if (named && context.schemas.get(named).enum) {
    return nullable
      ? { java: `@Nullable ${named}`, read: `json.readText(${key}, ${named}::new)` }
      : { java: named, read: `new ${named}(json.text(${key}))` };
  }
  if (named && context.schemas.get(named).properties) return object(named);
  if (named && context.schemas.get(named).type === 'string') return of('String', 'text');
  if (flat.type === 'string' && !flat.oneOf) return of('String', 'text');
  if (flat.type === 'integer') return of('Long', 'integer', 'long');
  if (flat.type === 'number') return of('Double', 'number', 'double');
  if (flat.type === 'boolean') return of('Boolean', 'bool', 'boolean');
  if (flat.type === 'array') {
    const items = plain(flat.items);
    const item = items.$ref && target(items.$ref);
    // A list that is absent is empty.
    if (item && context.schemas.get(item).enum)
      return { java: `List<${item}>`, read: `json.texts(${key}).stream().map(${item}::new).toList()` };
    if (item && context.schemas.get(item).properties)
      return { java: `List<${item}>`, read: `json.list(${key}, ${item}::of)` };
    if (items.properties)
      return {
        java: `List<${inner(name, owner)}>`,
        read: `json.list(${key}, ${inner(name, owner)}::of)`,
        nested: [inner(name, owner), items],
      };
    if (item || items.type === 'string') return { java: 'List<String>', read: `json.texts(${key})` };
  }
  if (flat.type === 'object' && flat.properties)
    return { ...object(inner(name, owner)), nested: [inner(name, owner), flat] };
  if (flat.type === 'object') return { java: 'Map<String, @Nullable Object>', read: `json.map(${key})` };
  throw new Error(`${owner}.${name} has the type ${JSON.stringify(schema)}`);
}

function inner(name, owner) {
  const type = pascal(name).replace(/ies$/, 'y').replace(/s$/, '');
  return [owner, 'Error'].includes(type) ? `${type}Item` : type;
}

function record(name, schema, context) {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([key, it]) => ({
    name: camel(key),
    says: it.description,
    ...field(name, key, it, required.includes(key), context),
  }));
  if (schema.additionalProperties) {
    fields.push({
      name: 'fields',
      java: 'Map<String, @Nullable Object>',
      read: 'json.fields()',
      says: 'all fields as sent',
    });
  }
  const nested = fields
    .filter((it) => it.nested)
    .map(
      ({ name: key, nested: [type, its] }) =>
        `${record(type, { ...its, description: its.description ?? `An entry of \`${key}\`` }, context)}\n`,
    );
  const says = doc(
    sentence(schema.description ?? `${article(name)} ${words(name)}`),
    fields.filter((it) => it.says).map((it) => [it.name, it.says]),
  );
  const components = fields.map((it) => `${it.java} ${it.name}`).join(', ');
  const reads = fields.map((it) => it.read).join(', ');
  return `${says}public record ${name}(${components}) {\n\nstatic ${name} of(JsonObject json) {\nreturn new ${name}(${reads});\n}\n\n${nested.join('')}}\n`;
}

/** A class of fields to send, whose methods return it. */
function request(name, schema, context) {
  const says = sentence(schema.description ?? `${article(name)} ${words(name)}`);
  const body = settersOf(name, schema.properties, context);
  return `${doc(says)}public final class ${name} extends Fields {\n\n${body}}\n`;
}

function settersOf(owner, properties, context) {
  return Object.entries(properties)
    .map(([key, schema]) => {
      const name = camel(key);
      return sent(schema, context)
        .map(({ java, value = name }) => {
          const says = doc(
            sentence(`Sets the field \`${key}\`${schema.description ? `: ${schema.description}` : ''}`),
          );
          return `${says}public ${owner} ${name}(${java} ${name}) {\nset("${key}", ${value});\nreturn this;\n}\n\n`;
        })
        .join('');
    })
    .join('');
}

/** The forms in which a field can be given. */
function sent(schema, context) {
  const flat = plain(schema);
  const maybe = (java) => [{ java: flat.nullable ? `@Nullable ${java}` : java }];
  const named = flat.$ref && target(flat.$ref);
  if (named === 'Addresses') return [{ java: 'String...' }, { java: 'List<String>' }];
  if (named === 'Time' || flat.format === 'date-time') return maybe('Instant');
  if (named && (context.schemas.get(named).enum || context.schemas.get(named).properties))
    return maybe(named);
  if (named || flat.type === 'string') {
    const texts = maybe('String');
    return flat.contentEncoding === 'base64'
      ? [...texts, { java: 'byte[]', value: 'Base64.getEncoder().encodeToString(content)' }]
      : texts;
  }
  if (flat.type === 'integer') return maybe(flat.nullable ? 'Long' : 'long');
  if (flat.type === 'boolean') return maybe('boolean');
  if (flat.type === 'array') return maybe(`List<${flat.items.$ref ? target(flat.items.$ref) : 'String'}>`);
  if (flat.oneOf || flat.type === 'object') return maybe('Map<String, ? extends @Nullable Object>');
  throw new Error(`A body has the type ${JSON.stringify(schema)}`);
}

const queryName = ({ group, method }) => `${pascal(group)}${pascal(method)}Query`;

function query(operation, context) {
  const name = queryName(operation);
  const properties = Object.fromEntries(
    operation.query.map(({ name: key, schema, description }) => [key, { ...schema, description }]),
  );
  return `${doc(`Parameters of \`${operation.group}.${operation.method}\`.`)}public final class ${name} extends Fields {\n\n${settersOf(name, properties, context)}}\n`;
}

function operationsOf(group, name, operations, context) {
  const methods = operations.flatMap((it) => methodsOf(it, context)).join('\n');
  const extended = EXTENDED.includes(group);
  return `${doc(`Operations of \`${group}\`.`)}${extended ? 'class' : 'public final class'} ${name} {\n\nfinal Transport transport;\n\n${name}(Transport transport) {\nthis.transport = transport;\n}\n\n${methods}}\n`;
}

function methodsOf(operation, context) {
  const { group, method, ids, query: parameters, body, result, verb, path, idempotent, paged } = operation;
  const wrapped = WRAPPED.includes(`${group}.${method}`);
  const name = method + (wrapped ? 'Once' : '');
  const bodyType =
    body && ({ 'application/json': sentType(body.schema), 'text/csv': 'String' }[body.type] ?? 'byte[]');
  const shown = result.schema && received(result.schema, context);
  const [returns, call] = {
    list: [
      `Items<${shown?.java}>`,
      (it) => `return this.transport.list(${it}, "${result.pick?.at(-1)}", ${shown?.of});`,
    ],
    json: [shown?.java, (it) => `return ${shown?.read(`this.transport.json(${it})`, result.pick)};`],
    nothing: ['void', (it) => `this.transport.nothing(${it});`],
    bytes: ['byte[]', (it) => `return this.transport.bytes(${it});`],
    stream: ['InputStream', (it) => `return this.transport.stream(${it});`],
  }[paged ? 'list' : result.kind];
  const pieces = path.split(/\{(\w+)}/);
  const shownPath = pieces
    .map((piece, i) =>
      i % 2 ? `Transport.encoded(${ids.find((it) => it.name === piece).as})` : piece && `"${piece}"`,
    )
    .filter(Boolean)
    .join(' + ');
  const made = [
    `new Call("${group}.${method}", "${verb}", ${shownPath})`,
    ...(idempotent ? ['.repeatable()'] : []),
    ...(parameters.length ? ['.query(query)'] : []),
    ...(body ? [body.type === 'application/json' ? '.json(body)' : `.body("${body.type}", body)`] : []),
  ].join('');
  const idArgs = ids.map((it) => `${it.name === 'n' ? 'int' : 'String'} ${it.as}`);
  const full = [
    ...idArgs,
    ...(body ? [`${bodyType} body`] : []),
    ...(parameters.length ? [`${queryName(operation)} query`] : []),
  ];
  const says = doc(
    [
      sentence(operation.summary),
      operation.description,
      operation.permission && `Permission: ${operation.permission}.`,
    ]
      .filter(Boolean)
      .join(' '),
  );
  const access = wrapped ? '' : 'public ';
  const main = `${says}${access}${returns} ${name}(${full.join(', ')}) {\n${call(made)}\n}\n`;
  if (wrapped) return [main];
  // A short form: fields are set by a function, a query can be left out.
  const shorts = [];
  const names = ids.map((it) => it.as);
  const pass = returns === 'void' ? '' : 'return ';
  if (body?.type === 'application/json' && !bodyType.startsWith('List')) {
    shorts.push(
      `${says}public ${returns} ${name}(${[...idArgs, `Consumer<${bodyType}> fields`].join(', ')}) {\n${bodyType} body = new ${bodyType}();\nfields.accept(body);\n${pass}${name}(${[...names, 'body'].join(', ')});\n}\n`,
    );
  }
  if (parameters.length) {
    const before = body ? [`${bodyType} body`] : [];
    const given = [...names, ...(body ? ['body'] : [])];
    shorts.push(
      `${says}public ${returns} ${name}(${[...idArgs, ...before].join(', ')}) {\n${pass}${name}(${[...given, `new ${queryName(operation)}()`].join(', ')});\n}\n`,
      `${says}public ${returns} ${name}(${[...idArgs, ...before, `Consumer<${queryName(operation)}> query`].join(', ')}) {\n${queryName(operation)} fields = new ${queryName(operation)}();\nquery.accept(fields);\n${pass}${name}(${[...given, 'fields'].join(', ')});\n}\n`,
    );
  }
  return [main, ...shorts];
}

const sentType = (schema) =>
  schema.type === 'array' ? `List<${target(schema.items.$ref)}>` : schema.$ref && target(schema.$ref);

/** How a result is read from the body of a response. */
function received(schema, context) {
  const flat = plain(schema);
  const through = (pick) => pick.map((name) => `.object("${name}")`).join('');
  if (flat.type === 'array') {
    const item = target(flat.items.$ref);
    return {
      java: `List<${item}>`,
      read: (json, pick) => `${json}${through(pick.slice(0, -1))}.list("${pick.at(-1)}", ${item}::of)`,
    };
  }
  const name = target(flat.$ref);
  if (PLAIN.includes(name)) return { java: 'JsonObject', read: (json, pick) => json + through(pick) };
  if (!context.schemas.get(name).properties) throw new Error(`A result is ${name}`);
  return { java: name, of: `${name}::of`, read: (json, pick) => `${name}.of(${json}${through(pick)})` };
}

const eventRecord = ({ kind, name, data, description }) =>
  `${doc(`${sentence(description)} Its kind is \`${kind}\`.`)}public record ${name}(String id, String apiVersion, Instant createdAt, ${data} data) implements WebhookEvent {\n}\n`;

function webhookEvent(events) {
  return `${doc('A verified call of a webhook endpoint.')}public sealed interface WebhookEvent permits ${events.map((it) => it.name).join(', ')}, UnknownEvent {

/** The id of the event, the same in all attempts. */
String id();

/** The version of the API that the event has. */
String apiVersion();

/** The time of the event. */
Instant createdAt();

}
`;
}

function eventReader(events) {
  const cases = events.map(
    ({ kind, name, data }) => `case "${kind}" -> new ${name}(id, version, createdAt, ${data}.of(data));\n`,
  );
  return `/** Reads events. */\nfinal class WebhookEvents {

private WebhookEvents() {
}

static WebhookEvent of(JsonObject json) {
String id = json.text("id");
String version = json.text("api_version");
Instant createdAt = json.time("created_at");
JsonObject data = json.object("data");
return switch (json.text("type")) {
${cases.join('')}default -> new UnknownEvent(id, version, createdAt, json.text("type"), json.fields());
};
}

}
`;
}

const errorNames = (errors) =>
  `${doc('The names of errors. The API may add others.')}public final class ErrorNames {\n\n${errors.map((it) => `/** {@code ${it}}. */\npublic static final String ${constant(it)} = "${it}";\n\n`).join('')}private ErrorNames() {\n}\n\n}\n`;
