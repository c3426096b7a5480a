/** All that a link to Welcome says. */
export interface WelcomeSearch {
  /** The one-time token of the link that the start printed. */
  readonly token?: string
  readonly start?: 'sample'
}

/** Reads a link; what it does not understand it leaves out. */
export function readWelcomeSearch(search: Readonly<Record<string, unknown>>): WelcomeSearch {
  return {
    ...(search.token === undefined ? {} : { token: String(search.token) }),
    ...(search.start === 'sample' ? { start: 'sample' } : {}),
  }
}
