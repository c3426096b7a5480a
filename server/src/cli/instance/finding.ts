/** The result of one check. */
export interface Finding {
  readonly about: string
  /** Null when the check passed. */
  readonly problem: string | null
  /** The value that was found; with a problem, how to repair it. */
  readonly note: string
}

export const fine = (about: string, note: string): Finding => ({ about, problem: null, note })
export const wrong = (about: string, problem: string, hint: string): Finding => ({ about, problem, note: hint })
