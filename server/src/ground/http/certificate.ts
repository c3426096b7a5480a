/** A certificate with its chain and its private key, both in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate that may be replaced while servers use it. */
export interface LiveCertificate {
  /** The one that counts now. */
  readonly current: () => Certificate
  /** Calls back with each that takes the place of the one before. */
  readonly onReplaced: (listener: (next: Certificate) => void) => void
}

/** @param first the certificate until the first replacement */
export function createLiveCertificate(first: Certificate): {
  readonly live: LiveCertificate
  readonly replace: (next: Certificate) => void
} {
  let current = first
  const listeners: ((next: Certificate) => void)[] = []
  return {
    live: { current: () => current, onReplaced: (listener) => void listeners.push(listener) },
    replace(next) {
      current = next
      for (const listener of listeners) listener(next)
    },
  }
}
