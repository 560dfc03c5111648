/** The URL of the REST API, which the server writes into the page. */
export function apiUrl(): string {
  const url = document.querySelector<HTMLMetaElement>('meta[name="mailroom-api"]')?.content ?? '';
  return url.startsWith('http') ? url : 'http://localhost:8080';
}

/** Names of the cells that the console shows, that of the host first; none in an installation without cells. */
export function cells(): readonly string[] {
  const names = document.querySelector<HTMLMetaElement>('meta[name="mailroom-cells"]')?.content ?? '';
  return names.split(' ').filter((name) => /^[a-z]/.test(name));
}

/** Path of a cell before that of its pages; empty for the cell of the host. */
export function pathOf(cell: string): string {
  return cell === cells()[0] ? '' : `/cells/${cell}`;
}
