/** Where a ClickHouse that runs already is reached. It can be sent to other threads. */
export type ClickHouseAddress =
  | { readonly kind: 'embedded'; readonly socketPath: string; readonly timeoutMs: number }
  | { readonly kind: 'external'; readonly url: string; readonly timeoutMs: number }
