/** A certificate with its chain and its private key, both in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}
