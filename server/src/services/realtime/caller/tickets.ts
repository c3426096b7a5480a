import type { KeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import type { TokenVerifier } from '../../../ground/jwt/verify.ts'
import type { Caller, Claims } from '../../../ground/model/caller.ts'
import { type ChannelName, callerOf, type Grant, type ReadToken, refusalOf } from './token.ts'

/** What tickets are signed and read with. */
export interface TicketKeys {
  /** Of tickets alone: no other service takes them. */
  readonly keys: KeySet
  readonly verify: TokenVerifier
}

/** A ticket, and when it ends. */
export interface Ticket {
  readonly token: string
  readonly expiresAt: Date
}

/** Lets an operator into one channel as one of its callers, and nowhere else. */
export interface Tickets {
  /** @param claims those of the caller but its times */
  make(claims: Claims, only: ChannelName): Ticket
  /** Reads a ticket; what is none is refused. */
  readonly read: ReadToken
}

/** The console asks for another one in time; an operator who may not any more is out of the channel by then. */
const lifeSeconds = 600
const audience = 'clew-realtime'

export function createTickets(ticketKeys: TicketKeys, now: () => Date): Tickets {
  return {
    make(claims, { topic, isPrivate }) {
      const iat = Math.floor(now().getTime() / 1000)
      const times = { iat, exp: iat + lifeSeconds }
      const caller = { ...claims, ...times }
      const token = signToken({ aud: audience, ...times, topic, isPrivate, caller }, ticketKeys.keys.signing)
      return { token, expiresAt: new Date(times.exp * 1000) }
    },
    read(token) {
      const verified = ticketKeys.verify(token)
      if (verified.kind === 'refused') return { kind: 'refused', refusal: refusalOf(verified.problem, now()) }
      return { kind: 'grant', grant: grantOf(token, verified.claims) }
    },
  }
}

/** The claims are as `make` has signed them: its keys sign nothing else. */
function grantOf(token: string, claims: Claims): Grant {
  const { topic, isPrivate, caller, exp } = claims as unknown as ChannelName & { caller: Claims; exp: number }
  return { token, caller: callerWith(caller), expiresAtMs: exp * 1000, only: { topic, isPrivate } }
}

const callerWith = (claims: Claims): Caller => callerOf(String(claims.role), claims, JSON.stringify(claims))

/** A reader of what clients and operators join with: tickets are looked at where it is no key and no user's token. */
export const withTickets =
  (readToken: ReadToken, tickets: Tickets): ReadToken =>
  (token) => {
    const read = readToken(token)
    if (read.kind === 'grant') return read
    const ticket = tickets.read(token)
    // One whose signature is not good is no ticket.
    return ticket.kind === 'grant' || ticket.refusal.code === 'InvalidJWTToken' ? ticket : read
  }
