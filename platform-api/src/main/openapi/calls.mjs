// Generates the calls to webhook endpoints: one for each kind of event, with the schema of its data. Their descriptions
// and examples are those of GET /webhooks/event-types.
import { readFileSync } from 'node:fs';

const TYPES = new URL(
  '../../../../platform-core/src/main/resources/webhook/event-types.json',
  import.meta.url,
);

const HEAD = {
  id: '0199f0a4-be44-7f35-9041-92a3b4c5d6e7',
  type: '',
  api_version: '2026-11-01',
  created_at: '2026-11-21T09:30:00.250Z',
};

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const camel = (kind) => kind.replace(/(?:^|[._])(\w)/g, (_, letter) => letter.toUpperCase());

/** The webhooks of the document, and their schemas. */
export function calls(kinds) {
  const types = JSON.parse(readFileSync(TYPES, 'utf8'));
  const wrong = Object.keys(kinds).filter((kind) => !types.some(({ type }) => type === kind));
  if (wrong.length) throw new Error(`There is no kind of event ${wrong.join(', ')}`);
  const schemas = {};
  const webhooks = {};
  for (const { type, description, data } of types) {
    if (!(type in kinds)) throw new Error(`The data of ${type} is not described`);
    const name = `${camel(type)}Event`;
    schemas[name] = {
      type: 'object',
      description,
      required: ['id', 'type', 'api_version', 'created_at', 'data'],
      properties: {
        id: ref('Id'),
        type: { type: 'string', const: type },
        api_version: { type: 'string', format: 'date' },
        created_at: ref('Time'),
        data: ref(kinds[type]),
      },
      example: { ...HEAD, type, data },
    };
    webhooks[type] = { post: call(name, type, description) };
  }
  return { schemas, webhooks };
}

const call = (name, type, description) => ({
  operationId: `on${name}`,
  tags: ['Webhooks'],
  summary: type,
  description,
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => ({
    name: header,
    in: 'header',
    required: true,
    description: 'Of the signature, see Standard Webhooks.',
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: ref(name) } } },
  responses: {
    '2XX': { description: 'The call is done. Any other status, or none within 10 s, is a failure.' },
  },
});
