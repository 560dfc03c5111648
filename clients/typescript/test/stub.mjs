// A server whose answers are scripted: each request takes the next one, or the last again.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Mailroom } from '../dist/index.js';

export const KEY = `ek_${'a'.repeat(12)}_${'b'.repeat(49)}`;

export const ACCEPTED = {
  id: '0199f0a4-ad33-7e24-8f30-8192a3b4c5d6',
  from: 'a@b.test',
  to: ['c@d.test'],
  created_at: '2026-11-21T09:30:00.000Z',
};

export const MAIL = { from: 'a@b.test', to: 'c@d.test', subject: 'Hi', text: 'It works.' };

/** An answer with a JSON body. */
export const json =
  (status, body, headers = {}) =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An answer with an error of the API. */
export const refused = (status, error, headers) =>
  json(
    status,
    {
      success: false,
      error,
      name: error.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
      statusCode: status,
      message: `${error}, because.`,
      request_id: 'of-the-body',
      docs_url: 'https://mail.test/docs/errors/x',
    },
    headers,
  );

/** Ends the connection after the request was read. */
export const cut = (request) => request.socket.destroy();

/** Never answers. */
export const silence = () => {};

export async function stub(test, answers, options = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    });
    answers[Math.min(requests.length, answers.length) - 1](request, response, requests.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${server.address().port}/api/`;
  return { requests, url, mailroom: new Mailroom({ apiKey: KEY, url, app: 'shop/4.2', ...options }) };
}
