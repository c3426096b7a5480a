/** All that a link to an error says. */
export interface ErrorSearch {
  /** The exception that is shown; the latest where none is named. */
  readonly exception?: string
  /** The request that is open in the drawer. */
  readonly open?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readErrorSearch(search: Readonly<Record<string, unknown>>): ErrorSearch {
  const { exception, open } = search
  return {
    ...(typeof exception === 'string' && exception !== '' ? { exception } : {}),
    ...(typeof open === 'string' && open !== '' ? { open } : {}),
  }
}
