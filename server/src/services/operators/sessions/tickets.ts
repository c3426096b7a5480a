import { randomToken } from '../../../ground/ids/tokens.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'
import type { OperatorsSettings } from '../settings.ts'

/** An unfinished exchange with one operator: a sign-in before its second factor, or a WebAuthn ceremony. */
export interface Ticket {
  readonly operatorId: string
  /** The challenge that a passkey has to sign; null without passkeys. */
  readonly challenge: string | null
}

/** Tickets live in memory only, that of every process: after a restart of all the exchange starts over. */
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
  readonly topic: OpenTopic
}

/** What processes tell each other of a ticket: its next step may come to any of them. */
interface TicketStep {
  readonly kind: 'issued' | 'attempted' | 'revoked'
  readonly token: string
  readonly ticket?: Ticket
}

export function createTickets({ now, settings, topic }: TicketsDeps): Tickets {
  const { signInStepSeconds, signInStepAttempts, openSignIns } = settings
  const others = topic<TicketStep>('operators.tickets')
  const issued = new Map<string, { readonly ticket: Ticket; readonly expiresAt: number; attempts: number }>()
  const keep = (token: string, ticket: Ticket): void => {
    issued.set(token, { ticket, expiresAt: now().getTime() + signInStepSeconds * 1000, attempts: 0 })
    if (issued.size <= openSignIns) return
    const oldest = issued.keys().next()
    if (!oldest.done) issued.delete(oldest.value)
  }
  const count = (token: string): Ticket | undefined => {
    const found = issued.get(token)
    if (found === undefined) return undefined
    found.attempts += 1
    if (found.attempts <= signInStepAttempts && found.expiresAt > now().getTime()) return found.ticket
    issued.delete(token)
    return undefined
  }
  others.hear(({ kind, token, ticket }) => {
    if (kind === 'attempted') count(token)
    else if (kind === 'revoked') issued.delete(token)
    else if (ticket !== undefined) keep(token, ticket)
  })
  return {
    issue(ticket) {
      const token = randomToken()
      keep(token, ticket)
      others.tell({ kind: 'issued', token, ticket })
      return token
    },
    attempt(token) {
      others.tell({ kind: 'attempted', token })
      return count(token)
    },
    revoke(token) {
      others.tell({ kind: 'revoked', token })
      issued.delete(token)
    },
  }
}
