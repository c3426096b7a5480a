/** What became of a secret that the settings have otherwise than before. */
export interface SecretChange {
  /** As `clew.toml` has it: `[mail] smtp_pass`. */
  readonly name: string
  /** `refused`: the old one stays, and the new one is tried again. */
  readonly outcome: 'taken' | 'refused' | 'needs a start'
  /** Why it was not taken; null where it was. Never the value. */
  readonly problem: string | null
}

/** What reading the secrets again came to. */
export interface SecretReload {
  readonly secrets: readonly SecretChange[]
  /** Settings that are wrong: while there is one, every secret stays. */
  readonly problems: readonly string[]
  /** Other settings that changed, which count from the next start on. */
  readonly others: readonly string[]
}
