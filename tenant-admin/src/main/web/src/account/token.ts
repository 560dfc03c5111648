/** Takes the token of a mailed link out of the address bar and of the history. */
export function takeToken(): string | null {
  const token = new URLSearchParams(window.location.search).get('token');
  if (token !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
