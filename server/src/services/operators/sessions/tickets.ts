import { randomToken } from '../../../ground/ids/tokens.ts'

/** Something half done by one operator: a sign-in that lacks the second factor, or a passkey that is being made. */
export interface Ticket {
  readonly operatorId: string
  /** What a passkey is to sign. */
  readonly challenge: string | null
}

/** Tickets are short, few, and lost with the process: whoever held one begins again. */
export interface Tickets {
  readonly issue: (ticket: Ticket) => string
  /** Looks at one, which counts as a try; undefined when there is none, it is too old, or was tried too often. */
  readonly tryOne: (token: string) => Ticket | undefined
  readonly end: (token: string) => void
}

const lifetimeMs = 5 * 60_000
const maxTries = 5
const maxTickets = 1000

/** Makes the place where they are kept. */
export function createTickets(now: () => Date): Tickets {
  const issued = new Map<string, { readonly ticket: Ticket; readonly expiresAt: number; tries: number }>()
  return {
    issue(ticket) {
      const token = randomToken()
      issued.set(token, { ticket, expiresAt: now().getTime() + lifetimeMs, tries: 0 })
      if (issued.size > maxTickets) {
        const oldest = issued.keys().next()
        if (!oldest.done) issued.delete(oldest.value)
      }
      return token
    },
    tryOne(token) {
      const found = issued.get(token)
      if (found === undefined) return undefined
      found.tries += 1
      if (found.tries <= maxTries && found.expiresAt > now().getTime()) return found.ticket
      issued.delete(token)
      return undefined
    },
    end: (token) => void issued.delete(token),
  }
}
