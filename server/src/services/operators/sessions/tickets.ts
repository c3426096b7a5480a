import { randomToken } from '../../../ground/ids/tokens.ts'
import type { OperatorsSettings } from '../settings.ts'

/** An unfinished exchange with one operator: a sign-in before its second factor, or a WebAuthn ceremony. */
export interface Ticket {
  readonly operatorId: string
  /** The challenge that a passkey has to sign; null without passkeys. */
  readonly challenge: string | null
}

/** Tickets live in memory only: after a restart the exchange starts over. */
export interface Tickets {
  /** Stores a ticket. @returns the token that refers to it */
  readonly issue: (ticket: Ticket) => string
  /** Finds a ticket and counts an attempt; undefined when it is unknown, expired, or has no attempts left. */
  readonly attempt: (token: string) => Ticket | undefined
  readonly revoke: (token: string) => void
}

export interface TicketsDeps {
  readonly now: () => Date
  readonly settings: Pick<OperatorsSettings, 'signInStepSeconds' | 'signInStepAttempts' | 'openSignIns'>
}

export function createTickets({ now, settings }: TicketsDeps): Tickets {
  const { signInStepSeconds, signInStepAttempts, openSignIns } = settings
  const issued = new Map<string, { readonly ticket: Ticket; readonly expiresAt: number; attempts: number }>()
  return {
    issue(ticket) {
      const token = randomToken()
      issued.set(token, { ticket, expiresAt: now().getTime() + signInStepSeconds * 1000, attempts: 0 })
      if (issued.size > openSignIns) {
        const oldest = issued.keys().next()
        if (!oldest.done) issued.delete(oldest.value)
      }
      return token
    },
    attempt(token) {
      const found = issued.get(token)
      if (found === undefined) return undefined
      found.attempts += 1
      if (found.attempts <= signInStepAttempts && found.expiresAt > now().getTime()) return found.ticket
      issued.delete(token)
      return undefined
    },
    revoke: (token) => void issued.delete(token),
  }
}
