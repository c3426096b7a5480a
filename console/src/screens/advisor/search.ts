/** What a link to the advisor says. */
export interface AdvisorSearch {
  readonly kind?: 'security' | 'performance'
  /** What is ignored, in place of what is not. */
  readonly ignored?: true
}

/** Reads a link; what it does not understand it leaves out. */
export const readAdvisorSearch = ({ kind, ignored }: Readonly<Record<string, unknown>>): AdvisorSearch => ({
  ...(kind === 'security' || kind === 'performance' ? { kind } : {}),
  ...(ignored === true ? { ignored } : {}),
})
