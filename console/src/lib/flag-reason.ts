/** Reasons that the server gives in PostHog's words, as clients expect them, and that say little to an operator. */
const words: Readonly<Record<string, string>> = {
  'Super condition value': 'The person’s own choice (early access)',
  'Holdout condition value': 'Held out',
}

/** Why a person gets what they get of a flag. */
export const flagReason = (reason: string): string => words[reason] ?? reason
