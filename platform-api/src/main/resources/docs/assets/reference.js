'use strict';
// Everything stays on this server: no fonts, telemetry, proxy or assistant of the renderer's maker.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'both',
  // The most frequent use comes first; the other groups keep their order.
  tagsSorter: (one, other) => Number(other.name === 'Emails') - Number(one.name === 'Emails'),
});

// Buttons that the renderer leaves without a name, or with one that it hides, copy what they stand beside. Few fonts have
// its sign for the key Ctrl.
const named = () => {
  for (const button of document.querySelectorAll('button:not([aria-label], [aria-labelledby], [title])'))
    if (
      button.classList.contains('scalar-code-copy')
      || (button.textContent.trim() === '' && !button.querySelector('title, img[alt]'))
    )
      button.setAttribute('aria-label', 'Copy');
  for (const key of document.querySelectorAll('button span[aria-hidden="true"]'))
    if (key.textContent === '⌃') key.textContent = 'Ctrl ';
};
new MutationObserver(named).observe(document.getElementById('reference'), { childList: true, subtree: true });
