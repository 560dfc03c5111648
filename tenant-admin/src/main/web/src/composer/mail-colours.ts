/** Colours of emails, which mail programs read as they are written. */
export const mail = {
  page: '#f4f6f5',
  box: '#ffffff',
  text: '#13201d',
  quiet: '#45524e',
  line: '#d8dedb',
  edge: '#84908c',
  darkPage: '#0c100f',
  darkBox: '#121716',
  darkText: '#e9efed',
  darkQuiet: '#b2bdb9',
  black: '#000000',
  white: '#ffffff',
} as const;
