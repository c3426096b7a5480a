import type { onRequestAsyncHookHandler } from 'fastify'
import type { Sql } from '../../engines/postgres/index.ts'
import { deriveKey } from '../../ground/ids/derive-key.ts'
import { randomToken } from '../../ground/ids/tokens.ts'
import { createTokenBuckets } from '../../ground/limits/token-bucket.ts'
import { type Access, createAccess } from './access.ts'
import { createPasswords, keyOlderHash } from './accounts/passwords.ts'
import {
  claimSetup,
  findAccount,
  findOperator,
  hasOperators,
  isSetupToken,
  keyOlderHashes,
  type Operator,
  replaceSetupToken,
} from './accounts/store.ts'
import { operatorsError } from './errors.ts'
import { createCeremonies } from './factors/passkeys.ts'
import { checkProof, type Proof } from './factors/proof.ts'
import { findFactors, hasFactor, resetFactors } from './factors/store.ts'
import { refuseForeignOrigin } from './http/origin.ts'
import { createSecrets } from './secrets.ts'
import {
  type CookiePlace,
  deviceCookie,
  expiredCookie,
  readDeviceCookie,
  readSessionCookie,
  sessionCookie,
} from './sessions/cookie.ts'
import { type CurrentSession, deleteSession, findSession, insertSession, touchSession } from './sessions/store.ts'
import { createTickets } from './sessions/tickets.ts'
import type { OperatorsSettings } from './settings.ts'

export interface OperatorsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: OperatorsSettings
  /** The project's name, shown before anybody is signed in. */
  readonly project: string
  readonly cookiePlace: CookiePlace
  /** Where the console is reached: passkeys are bound to its host name. */
  readonly consoleUrl: string
  /** Keys what is kept of passwords, tokens and codes; does not stand in the database. */
  readonly pepper: string
}

/** Who asks, as far as a request tells. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string
  readonly cookieHeader: string | undefined
}

/** An operator who has just signed in, with the cookies that say so. */
export interface SignedIn {
  readonly kind: 'signed in'
  readonly operator: Operator
  readonly cookies: readonly string[]
}

/** The password was right, and is not enough. */
export interface SecondStep {
  readonly kind: 'second step'
  /** To be sent with the second factor, within five minutes. */
  readonly ticket: string
  readonly hasTotp: boolean
  /** For the browser; null for an account without passkeys. */
  readonly passkeyOptions: object | null
}

/** The team's accounts. An application user's token means nothing here: only the cookie is looked at. */
export interface Operators {
  readonly project: string
  readonly access: Access
  /** The secret part of a link that creates the owner, used once; null when there is somebody already. */
  setupLink(): Promise<string | null>
  isClaimed(): Promise<boolean>
  claim(
    input: { readonly token: string; readonly name: string; readonly email: string; readonly password: string },
    visitor: Visitor,
  ): Promise<SignedIn>
  /** @throws CLEW_OPERATORS_WRONG_CREDENTIALS, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  signIn(input: { readonly email: string; readonly password: string }, visitor: Visitor): Promise<SignedIn | SecondStep>
  /** The second step. @throws CLEW_OPERATORS_TICKET_OVER, CLEW_OPERATORS_WRONG_PROOF, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  signInWithFactor(ticket: string, proof: Proof, visitor: Visitor): Promise<SignedIn>
  /** Ends the session of a `Cookie` header; answers the cookie that makes the browser forget it. */
  signOut(cookieHeader: string | undefined): Promise<string>
  /**
   * The session of a visitor, with a cookie to set when it was prolonged.
   *
   * @throws CLEW_OPERATORS_SIGNED_OUT
   */
  authenticate(visitor: Visitor): Promise<{ readonly session: CurrentSession; readonly cookie: string | null }>
  /** For the machine's owner: an account has its password only, and no session; false when there is no such account. */
  resetFactors(email: string): Promise<boolean>
  /** A Fastify hook, for before a body is read: sets the request's decorator `operator`, or refuses; calls must come from the console's own pages. */
  readonly guard: onRequestAsyncHookHandler
}

const minuteMs = 60_000
const dayMs = 86_400_000
const hourMs = 3_600_000
const attemptWindowSeconds = 900

/** Makes the service, and keys what was hashed before there was a pepper; it opens nothing and so has nothing to close. */
export async function createOperators(deps: OperatorsDeps): Promise<Operators> {
  const { sql, now, newId, settings, cookiePlace, project } = deps
  const passwordKey = deriveKey(deps.pepper, 'operators’ passwords')
  const secrets = createSecrets(deriveKey(deps.pepper, 'operators’ tokens'))
  const passwords = createPasswords(passwordKey)
  const ceremonies = createCeremonies(deps.consoleUrl, project)
  const tickets = createTickets(now)
  const take = createTokenBuckets(now)
  const sessionMs = settings.sessionDays * dayMs
  await keyOlderHashes(sql, (stored) => keyOlderHash(stored, passwordKey))

  const limit = (key: string, burst: number): void => {
    const waitSeconds = take(key, { burst, refillPerSecond: burst / attemptWindowSeconds })
    if (waitSeconds === null) return
    throw operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': String(waitSeconds) } })
  }
  const countAttempt = (operatorId: string, place: string): void =>
    limit(`factor ${operatorId} ${place}`, settings.attemptsPerAccount)
  /**
   * Whose attempts are counted together. Behind a proxy that is not named as one everybody has its address, and strangers'
   * attempts would keep operators out: a browser that signed in to the account before is counted by itself.
   */
  const placeOf = ({ address, cookieHeader }: Visitor, account: string): { known: boolean; key: string } => {
    const device = readDeviceCookie(cookieHeader, cookiePlace)
    return device !== null && secrets.isDeviceOf(device, account)
      ? { known: true, key: `device ${device}` }
      : { known: false, key: `address ${address}` }
  }

  const begin = async (operator: Operator, { address, userAgent }: Visitor): Promise<SignedIn> => {
    const token = randomToken()
    const at = now()
    const expiresAt = new Date(at.getTime() + sessionMs)
    const session = { id: newId(), tokenHash: secrets.hashToken(token), operatorId: operator.id, expiresAt }
    await insertSession(sql, { ...session, address, userAgent: userAgent.slice(0, 500) }, at)
    const { id, name, email, role } = operator
    const cookies = [
      sessionCookie(token, sessionMs / 1000, cookiePlace),
      deviceCookie(secrets.signDevice(email), cookiePlace),
    ]
    return { kind: 'signed in', operator: { id, name, email, role }, cookies }
  }

  const authenticate: Operators['authenticate'] = async ({ address, cookieHeader }) => {
    const token = readSessionCookie(cookieHeader, cookiePlace)
    const at = now()
    const session = token === null ? undefined : await findSession(sql, secrets.hashToken(token), at)
    if (token === null || session === undefined) throw operatorsError('CLEW_OPERATORS_SIGNED_OUT')
    // A write on every call would say no more; the cookie is renewed once a day.
    if (at.getTime() - session.lastSeenAt.getTime() < minuteMs) return { session, cookie: null }
    const isDue = session.expiresAt.getTime() - at.getTime() < sessionMs - dayMs
    const expiresAt = isDue ? new Date(at.getTime() + sessionMs) : session.expiresAt
    await touchSession(sql, session.id, { at, address, expiresAt })
    return { session, cookie: isDue ? sessionCookie(token, sessionMs / 1000, cookiePlace) : null }
  }

  return {
    project,
    access: createAccess({
      sql,
      now,
      newId,
      passwords,
      secrets,
      ceremonies,
      tickets,
      project,
      countAttempt: ({ operator, id }) => countAttempt(operator.id, `session ${id}`),
    }),
    async setupLink() {
      if (await hasOperators(sql)) return null
      const token = randomToken()
      const at = now()
      const expiresAt = new Date(at.getTime() + settings.setupLinkHours * hourMs)
      await replaceSetupToken(sql, secrets.hashToken(token), at, expiresAt)
      return token
    },
    isClaimed: () => hasOperators(sql),
    async claim({ token, name, email, password }, visitor) {
      limit(`address ${visitor.address}`, settings.attemptsPerAddress)
      const owner = parseOwner({ name, email, password }, settings.minimumPasswordLength)
      const tokenHash = secrets.hashToken(token)
      // Looked at before the hash: guessing must not be paid for with our processor.
      if (!(await isSetupToken(sql, tokenHash, now()))) throw operatorsError('CLEW_OPERATORS_LINK_USED')
      const operator = { ...owner, id: newId(), role: 'owner' } as const
      const passwordHash = await passwords.hash(password)
      const won = await claimSetup(sql, tokenHash, { ...operator, passwordHash }, now())
      if (!won) throw operatorsError('CLEW_OPERATORS_LINK_USED')
      return begin(operator, visitor)
    },
    async signIn({ email, password }, visitor) {
      const account = email.trim().toLowerCase()
      const place = placeOf(visitor, account)
      if (!place.known) limit(`address ${visitor.address}`, settings.attemptsPerAddress)
      limit(`account ${account} ${place.key}`, settings.attemptsPerAccount)
      const operator = await findAccount(sql, account)
      // The same work whoever it is.
      const fits = await passwords.matches(password, operator?.passwordHash ?? null)
      if (operator === undefined || !fits) throw operatorsError('CLEW_OPERATORS_WRONG_CREDENTIALS')
      const factors = await findFactors(sql, operator.id)
      if (!hasFactor(factors)) return begin(operator, visitor)
      const options = factors.passkeys.length === 0 ? null : await ceremonies.ask(factors.passkeys)
      const ticket = tickets.issue({ operatorId: operator.id, challenge: options?.challenge ?? null })
      const hasTotp = factors.totp !== null && factors.totp.confirmedAt !== null
      return { kind: 'second step', ticket, hasTotp, passkeyOptions: options }
    },
    async signInWithFactor(ticket, proof, visitor) {
      const asked = tickets.tryOne(ticket)
      const operator = asked === undefined ? undefined : await findOperator(sql, asked.operatorId)
      if (asked === undefined || operator === undefined) throw operatorsError('CLEW_OPERATORS_TICKET_OVER')
      const place = placeOf(visitor, operator.email)
      // Whoever knows the password may come from many addresses: those that are not known are counted as one.
      countAttempt(operator.id, place.known ? place.key : '')
      const factors = await findFactors(sql, operator.id)
      if (!(await checkProof({ sql, now, secrets, ceremonies }, operator.id, factors, proof, asked.challenge)))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      tickets.end(ticket)
      return begin(operator, visitor)
    },
    async signOut(cookieHeader) {
      const token = readSessionCookie(cookieHeader, cookiePlace)
      if (token !== null) await deleteSession(sql, secrets.hashToken(token))
      return expiredCookie(cookiePlace)
    },
    authenticate,
    resetFactors: (email) => resetFactors(sql, email.trim().toLowerCase()),
    guard: async (request, reply) => {
      refuseForeignOrigin(request)
      const { session, cookie } = await authenticate(visitorOf(request))
      if (cookie !== null) reply.header('set-cookie', cookie)
      request.setDecorator('operator', session.operator)
    },
  }
}

/** What a request tells of who asks. */
export const visitorOf = ({
  ip,
  headers,
}: {
  readonly ip: string
  readonly headers: { readonly 'user-agent'?: string | undefined; readonly cookie?: string | undefined }
}): Visitor => ({ address: ip, userAgent: headers['user-agent'] ?? '', cookieHeader: headers.cookie })

function parseOwner(
  { name, email, password }: { readonly name: string; readonly email: string; readonly password: string },
  minimumPasswordLength: number,
): { readonly name: string; readonly email: string } {
  const refuse = (message: string): never => {
    throw operatorsError('CLEW_OPERATORS_INVALID', { message })
  }
  const shownName = name.trim()
  const address = email.trim().toLowerCase()
  if (shownName === '') refuse('The name is empty.')
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 255) refuse('The e-mail address is not one.')
  if ([...password].length < minimumPasswordLength)
    refuse(`The password has fewer than ${minimumPasswordLength} characters.`)
  return { name: shownName, email: address }
}
