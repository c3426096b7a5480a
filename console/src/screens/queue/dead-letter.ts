/** What is told of a message that failed for good. */
interface DeadLetter {
  readonly queue: string
  readonly attempts: number
  readonly error: string
}

/** The story in a message's headers; null where it is no dead letter. */
export function readDeadLetter(headers: string | null): DeadLetter | null {
  if (headers === null) return null
  try {
    const { dead_letter: letter }: { dead_letter?: Partial<DeadLetter> } = JSON.parse(headers)
    if (typeof letter?.queue !== 'string') return null
    return { queue: letter.queue, attempts: Number(letter.attempts), error: String(letter.error ?? '') }
  } catch {
    // Headers are shown up to a size: a longer text is no JSON.
    return null
  }
}
