import type { IncomingMessage } from 'node:http'
import type { onRequestAsyncHookHandler } from 'fastify'
import type { Mailer } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import { currentOf, derivedOf, type RootKeys } from '../../ground/ids/root-keys.ts'
import { createTokenBuckets } from '../../ground/limits/token-bucket.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import type { ConsoleRequest, OperatorRight } from '../../ground/model/operator-actions.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { type Access, createAccess } from './access.ts'
import { normalizeEmail } from './accounts/email.ts'
import { createPasswords, pepperHash } from './accounts/passwords.ts'
import { type Operator, pepperHashes, replaceHash } from './accounts/store.ts'
import { type Actions, createActions, hasRight } from './audit/actions.ts'
import { createCeremonies } from './factors/passkeys.ts'
import { resetFactors } from './factors/store.ts'
import { nameRootKeys, operatorKeyUses } from './root-keys/uses.ts'
import { createSecrets } from './secrets.ts'
import { createAttempts } from './sessions/attempts.ts'
import { clientOf } from './sessions/client.ts'
import type { CookieScope } from './sessions/cookie.ts'
import { createGuard } from './sessions/guard.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createTickets } from './sessions/tickets.ts'
import type { OperatorsSettings } from './settings.ts'
import { createSetup, type Setup } from './setup.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createTeam, type Team } from './team/team.ts'
import { type AccessTokens, createAccessTokens } from './tokens/access-tokens.ts'
import { createViews, type Views } from './views/views.ts'

/** What the operators’ accounts need of the instance. */
export interface OperatorsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: OperatorsSettings
  /** Joins the sign-ins and limits of all processes; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  /** The project's name, shown on the sign-in page. */
  readonly project: string
  readonly cookieScope: CookieScope
  /** The console's address: passkeys are bound to its host name. */
  readonly consoleUrl: string
  /** The keys of password hashes, tokens and codes are derived from them; they are not in the database. */
  readonly roots: RootKeys
  /** Sends invitations. */
  readonly mailer: Mailer
  /** Hears of sessions that begin and end. */
  readonly live?: LiveNotices
  /** What a password's hash costs: scrypt's `N`, a power of two. */
  readonly passwordHashCost?: number
}

/** The team's accounts. They have a realm of their own: an application user's token is never looked at. */
export interface Operators extends Setup, SignIn {
  readonly project: string
  readonly access: Access
  readonly tokens: AccessTokens
  readonly team: Team
  /** Named filters of the list of sessions. */
  readonly views: Views
  /** What operators may do, and the log of what they did. */
  readonly actions: Actions
  /** Ends the session of a `Cookie` header. @returns the `Set-Cookie` header that deletes the cookie */
  signOut(cookieHeader: string | undefined): Promise<string>
  /** @throws CLEW_OPERATORS_SIGNED_OUT */
  readonly authenticate: Sessions['authenticate']
  /** The id of the session of a request. @throws CLEW_OPERATORS_SIGNED_OUT */
  sessionOf(request: ConsoleRequest): Promise<string>
  /** Of these sessions those whose operators are signed in and have a right; to look, by default. This is no use of them. */
  standing(sessionIds: readonly string[], right?: OperatorRight): Promise<ReadonlySet<string>>
  /** What is kept under root keys. */
  readonly keyUses: readonly RootKeyUse[]
  /** Deletes the second factors of an account and ends its sessions; false when there is no such account. */
  resetFactors(email: string): Promise<boolean>
  /** A Fastify `onRequest` hook that sets the request's decorator `operator`, or refuses the request. */
  readonly guard: onRequestAsyncHookHandler
  /** Has the guard take `incoming`, which this process made and no socket brought, as a request of the operator of `request`. */
  actAs(incoming: IncomingMessage, request: ConsoleRequest): void
}

/**
 * Joins the parts of the service, adds the pepper to password hashes from before there was one, and names the root key of
 * what is from before it was named. It opens nothing, and so has nothing to close.
 */
export async function createOperators(deps: OperatorsDeps): Promise<Operators> {
  const { sql, now, newId, settings, cookieScope, project, topic = noOthers, live = unwatched } = deps
  const peppers = derivedOf(deps.roots, 'operators’ passwords', (key) => key)
  const secrets = createSecrets(deps.roots)
  const passwords = createPasswords({
    peppers,
    queue: settings.passwordHashQueue,
    N: deps.passwordHashCost,
    replace: (before, after) => replaceHash(sql, before, after),
  })
  const ceremonies = createCeremonies(deps.consoleUrl, project)
  const tickets = createTickets({ now, settings, topic })
  const take = createTokenBuckets(now, topic('operators.attempts'))
  const attempts = createAttempts({ take, secrets, cookieScope, settings })
  const { sessionDays } = settings
  const sessions = createSessions({ sql, now, newId, secrets, cookieScope, live, sessionDays })
  const startSession = sessions.start
  const tokens = createAccessTokens({ sql, now, newId, secrets, settings })
  const inside = new WeakMap<IncomingMessage, Operator>()
  await nameRootKeys(sql, deps.roots)
  await pepperHashes(sql, (hash) => pepperHash(hash, currentOf(peppers())))
  return {
    project,
    ...createSetup({ sql, now, newId, secrets, passwords, attempts, startSession, settings }),
    ...createSignIn({ sql, now, secrets, passwords, ceremonies, tickets, attempts, startSession }),
    access: createAccess({
      sql,
      now,
      newId,
      secrets,
      passwords,
      ceremonies,
      tickets,
      attempts,
      live,
      project,
      settings,
    }),
    tokens,
    team: createTeam({ ...deps, secrets, passwords, attempts, startSession, live, settings }),
    views: createViews({ sql, now, newId, settings }),
    actions: createActions({
      sql,
      now,
      newId,
      authenticate: sessions.authenticate,
      proofSeconds: settings.proofSeconds,
      auditDays: settings.auditDays,
    }),
    signOut: sessions.end,
    authenticate: sessions.authenticate,
    sessionOf: async (request) => (await sessions.authenticate(clientOf(request))).session.id,
    standing: async (sessionIds, right = 'look') => {
      const roles = await sessions.roles(sessionIds)
      return new Set([...roles].flatMap(([id, role]) => (hasRight(role, right) ? [id] : [])))
    },
    async resetFactors(email) {
      const isDone = await resetFactors(sql, normalizeEmail(email))
      live.announce('access')
      return isDone
    },
    keyUses: operatorKeyUses(sql, secrets, (id) => currentOf(peppers()).rootId === id),
    guard: createGuard(sessions.authenticate, tokens.authenticate, (incoming) => inside.get(incoming)),
    actAs: (incoming, request) => void inside.set(incoming, request.getDecorator<Operator>('operator')),
  }
}
