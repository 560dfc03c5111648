/** The URL of the REST API, which the server writes into the page. */
export function apiUrl(): string {
  const url = document.querySelector<HTMLMetaElement>('meta[name="mailroom-api"]')?.content ?? '';
  return url.startsWith('http') ? url : 'http://localhost:8080';
}
