import type { onRequestAsyncHookHandler } from 'fastify'
import type { Sql } from '../../engines/postgres/index.ts'
import { hashToken, randomToken } from '../../ground/ids/tokens.ts'
import { createTokenBuckets } from '../../ground/limits/token-bucket.ts'
import { type CookiePlace, expiredCookie, readSessionCookie, sessionCookie } from './cookie.ts'
import { operatorsError } from './errors.ts'
import { refuseForeignOrigin } from './origin.ts'
import { createPasswords } from './passwords.ts'
import type { OperatorsSettings } from './settings.ts'
import {
  claimSetup,
  deleteSession,
  extendSession,
  findAccount,
  findSession,
  hasOperators,
  insertSession,
  isSetupToken,
  type Operator,
  replaceSetupToken,
} from './store.ts'

export interface OperatorsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: OperatorsSettings
  /** The project's name, shown before anybody is signed in. */
  readonly project: string
  readonly cookiePlace: CookiePlace
}

/** An operator who has just signed in, with the cookie that says so. */
export interface SignedIn {
  readonly operator: Operator
  readonly cookie: string
}

/** The team's accounts. An application user's token means nothing here: only the cookie is looked at. */
export interface Operators {
  readonly project: string
  /** The secret part of a link that creates the owner, used once; null when there is somebody already. */
  setupLink(): Promise<string | null>
  isClaimed(): Promise<boolean>
  claim(input: {
    readonly token: string
    readonly name: string
    readonly email: string
    readonly password: string
    readonly address: string
  }): Promise<SignedIn>
  signIn(input: { readonly email: string; readonly password: string; readonly address: string }): Promise<SignedIn>
  /** Ends the session of a `Cookie` header; answers the cookie that makes the browser forget it. */
  signOut(cookieHeader: string | undefined): Promise<string>
  /**
   * The operator of a `Cookie` header, with a cookie to set when the session was prolonged.
   *
   * @throws CLEW_OPERATORS_SIGNED_OUT
   */
  authenticate(
    cookieHeader: string | undefined,
  ): Promise<{ readonly operator: Operator; readonly cookie: string | null }>
  /** A Fastify hook, for before a body is read: sets the request's decorator `operator`, or refuses; calls must come from the console's own pages. */
  readonly guard: onRequestAsyncHookHandler
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const attemptWindowSeconds = 900

/** Makes the service; it opens nothing and so has nothing to close. */
export function createOperators(deps: OperatorsDeps): Operators {
  const { sql, now, newId, settings, cookiePlace } = deps
  const passwords = createPasswords()
  const take = createTokenBuckets(now)
  const sessionMs = settings.sessionDays * dayMs

  const limit = (key: string, burst: number): void => {
    const waitSeconds = take(key, { burst, refillPerSecond: burst / attemptWindowSeconds })
    if (waitSeconds === null) return
    throw operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': String(waitSeconds) } })
  }

  const begin = async ({ id, name, email, role }: Operator): Promise<SignedIn> => {
    const token = randomToken()
    const at = now()
    const expiresAt = new Date(at.getTime() + sessionMs)
    await insertSession(sql, { tokenHash: hashToken(token), operatorId: id, expiresAt }, at)
    return { operator: { id, name, email, role }, cookie: sessionCookie(token, sessionMs / 1000, cookiePlace) }
  }

  const authenticate: Operators['authenticate'] = async (cookieHeader) => {
    const token = readSessionCookie(cookieHeader, cookiePlace)
    const at = now()
    const session = token === null ? undefined : await findSession(sql, hashToken(token), at)
    if (token === null || session === undefined) throw operatorsError('CLEW_OPERATORS_SIGNED_OUT')
    const { id, name, email, role } = session
    const operator = { id, name, email, role }
    // Prolonged once a day: a write on every call would say no more.
    if (session.expiresAt.getTime() - at.getTime() > sessionMs - dayMs) return { operator, cookie: null }
    await extendSession(sql, hashToken(token), new Date(at.getTime() + sessionMs))
    return { operator, cookie: sessionCookie(token, sessionMs / 1000, cookiePlace) }
  }

  return {
    project: deps.project,
    async setupLink() {
      if (await hasOperators(sql)) return null
      const token = randomToken()
      const at = now()
      await replaceSetupToken(sql, hashToken(token), at, new Date(at.getTime() + settings.setupLinkHours * hourMs))
      return token
    },
    isClaimed: () => hasOperators(sql),
    async claim({ token, name, email, password, address }) {
      limit(`address ${address}`, settings.attemptsPerAddress)
      const owner = parseOwner({ name, email, password }, settings.minimumPasswordLength)
      const tokenHash = hashToken(token)
      // Looked at before the hash: guessing must not be paid for with our processor.
      if (!(await isSetupToken(sql, tokenHash, now()))) throw operatorsError('CLEW_OPERATORS_LINK_USED')
      const operator = { ...owner, id: newId(), role: 'owner' } as const
      const passwordHash = await passwords.hash(password)
      const won = await claimSetup(sql, tokenHash, { ...operator, passwordHash }, now())
      if (!won) throw operatorsError('CLEW_OPERATORS_LINK_USED')
      return begin(operator)
    },
    async signIn({ email, password, address }) {
      const account = email.trim().toLowerCase()
      limit(`address ${address}`, settings.attemptsPerAddress)
      limit(`account ${address} ${account}`, settings.attemptsPerAccount)
      const operator = await findAccount(sql, account)
      // The same work whoever it is.
      const fits = await passwords.matches(password, operator?.passwordHash ?? null)
      if (operator === undefined || !fits) throw operatorsError('CLEW_OPERATORS_WRONG_CREDENTIALS')
      return begin(operator)
    },
    async signOut(cookieHeader) {
      const token = readSessionCookie(cookieHeader, cookiePlace)
      if (token !== null) await deleteSession(sql, hashToken(token))
      return expiredCookie(cookiePlace)
    },
    authenticate,
    guard: async (request, reply) => {
      refuseForeignOrigin(request)
      const { operator, cookie } = await authenticate(request.headers.cookie)
      if (cookie !== null) reply.header('set-cookie', cookie)
      request.setDecorator('operator', operator)
    },
  }
}

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
