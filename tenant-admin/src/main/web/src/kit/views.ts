/** Views of the HTML of a mail: a wide or narrow window, or a wide one of a reader who prefers a dark theme. */
export type FrameView = 'desktop' | 'phone' | 'dark';

export const frameViews: readonly { readonly value: FrameView; readonly text: string }[] = [
  { value: 'desktop', text: 'Desktop' },
  { value: 'phone', text: 'Phone' },
  { value: 'dark', text: 'Dark' },
];
