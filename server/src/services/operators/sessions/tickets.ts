import { randomToken } from '../../../ground/ids/tokens.ts'

/** An unfinished exchange with one operator: a sign-in before its second factor, or a WebAuthn ceremony. */
export interface Ticket {
  readonly operatorId: string
  /** The challenge that a passkey has to sign; null without passkeys. */
  readonly challenge: string | null
}

/** Tickets live for five minutes, in memory only: after a restart the exchange starts over. */
export interface Tickets {
  /** Stores a ticket. @returns the token that refers to it */
  readonly issue: (ticket: Ticket) => string
  /** Finds a ticket and counts an attempt; undefined when it is unknown, expired, or has no attempts left. */
  readonly attempt: (token: string) => Ticket | undefined
  readonly revoke: (token: string) => void
}

const lifetimeMs = 5 * 60_000
const maxAttempts = 5
const maxTickets = 1000

export function createTickets(now: () => Date): Tickets {
  const issued = new Map<string, { readonly ticket: Ticket; readonly expiresAt: number; attempts: number }>()
  return {
    issue(ticket) {
      const token = randomToken()
      issued.set(token, { ticket, expiresAt: now().getTime() + lifetimeMs, attempts: 0 })
      if (issued.size > maxTickets) {
        const oldest = issued.keys().next()
        if (!oldest.done) issued.delete(oldest.value)
      }
      return token
    },
    attempt(token) {
      const found = issued.get(token)
      if (found === undefined) return undefined
      found.attempts += 1
      if (found.attempts <= maxAttempts && found.expiresAt > now().getTime()) return found.ticket
      issued.delete(token)
      return undefined
    },
    revoke: (token) => void issued.delete(token),
  }
}
