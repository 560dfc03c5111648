/** The part of papaparse that the app uses. */
declare module 'papaparse' {
  interface Config<T> {
    readonly step: (result: { readonly data: T; readonly meta: { readonly cursor: number } }) => void;
  }
  const papa: { parse<T>(text: string, config: Config<T>): void };
  export default papa;
}
