import type { Caller } from '../../../../ground/model/caller.ts'
import type { Call, RequestContext } from '../../model/call.ts'
import { authError } from '../../model/errors.ts'
import { isBanned, traitsOf, type UserRow } from '../../model/user.ts'
import { administrator } from '../../store/audit.ts'
import {
  type ConsoleSessionRow,
  type ConsoleUserRow,
  type ConsoleUsersQuery,
  findConsoleSessions,
  findConsoleUsers,
} from '../../store/console-users.ts'
import { deleteSessions } from '../../store/sessions.ts'
import { adminChangeUser } from '../change-user.ts'
import { adminCreateUser } from '../create-user.ts'
import { adminDeleteUser } from '../delete-user.ts'
import type { AdminDeps } from '../deps.ts'
import { generateLink } from '../generate-link.ts'
import { invite } from '../invite.ts'

/** A user with what they sign in by. */
export interface ConsoleUser {
  readonly user: UserRow
  readonly isBanned: boolean
  readonly sessions: readonly ConsoleSessionRow[]
}

/** The application's users, as the console shows and changes them, by the admin API's own use cases. */
export interface ConsoleUsers {
  /** One user more than asked for says that there are more. */
  list(context: RequestContext, query: ConsoleUsersQuery): Promise<readonly ConsoleUserRow[]>
  /** @throws user_not_found */
  find(context: RequestContext, id: string): Promise<ConsoleUser>
  /** @throws email_exists, weak_password, validation_failed. @returns the user's id */
  create(context: RequestContext, user: { readonly email: string; readonly password: string }): Promise<string>
  /** Sends the mail. @throws email_exists. @returns the user's id */
  invite(context: RequestContext, email: string): Promise<string>
  /** @param duration `24h`, as GoTrue reads it; `none` lifts a ban */
  ban(context: RequestContext, id: string, duration: string): Promise<void>
  /** Ends all sessions. */
  signOut(context: RequestContext, id: string): Promise<void>
  /** Sends the mail with which a user chooses another password. @throws validation_failed without an address */
  sendReset(context: RequestContext, id: string): Promise<void>
  /** A link that signs in as the user. @throws validation_failed without an address */
  signInLink(context: RequestContext, id: string): Promise<string>
  remove(context: RequestContext, id: string): Promise<void>
  /** A context with which a use case of the admin API takes the operator for an administrator. */
  asAdministrator(context: RequestContext): RequestContext
}

export function createConsoleUsers(deps: AdminDeps): ConsoleUsers {
  const [role = 'service_role'] = deps.settings.jwtAdminRoles
  const asAdministrator = (context: RequestContext) => contextOf(context, role)
  const callOf = (context: RequestContext, body: Call['body'] = {}): Call => ({
    context: asAdministrator(context),
    body,
    redirectTo: deps.redirects.choose([]),
  })
  const emailOf = ({ email }: UserRow): string => {
    if (!email) throw authError('validation_failed', { message: 'This user has no email address.' })
    return email
  }
  return {
    asAdministrator,
    list: (context, query) => findConsoleUsers(deps.database.for(context), query),
    async find(context, id) {
      const user = await deps.getUserOfPath(id, context)
      const sessions = await findConsoleSessions(deps.database.for(context), user.id)
      return { user, isBanned: isBanned(user, deps.now()), sessions }
    },
    create: async (context, { email, password }) =>
      idOf(await adminCreateUser(deps, callOf(context, { email, password, email_confirm: true }))),
    invite: async (context, email) => idOf(await invite(deps, callOf(context, { email }))),
    async ban(context, id, duration) {
      await adminChangeUser(deps, callOf(context, { ban_duration: duration }), id)
    },
    async signOut(context, id) {
      const user = await deps.getUserOfPath(id, context)
      await deps.database.change(context, async (sql) => {
        await deps.audit(sql, administrator({ role }), ['logout'], traitsOf(user))
        await deleteSessions(sql, user.id, 'all')
      })
    },
    async sendReset(context, id) {
      const user = await deps.getUserOfPath(id, context)
      emailOf(user)
      await deps.outbox.changeAndSend(context, async (sql, post) => {
        post(await deps.prepareMail(sql, user, 'recovery', callOf(context), null))
        await deps.audit(sql, user, ['user_recovery_requested'])
      })
    },
    async signInLink(context, id) {
      const email = emailOf(await deps.getUserOfPath(id, context))
      const { body } = await generateLink(deps, callOf(context, { type: 'magiclink', email }))
      return textOf(body, 'action_link')
    },
    async remove(context, id) {
      await adminDeleteUser(deps, callOf(context), id)
    },
  }
}

/** The admin API looks for an administrator in a request's token; an operator has none. */
function contextOf(context: RequestContext, role: string): RequestContext {
  const claims = { role }
  const caller: Caller = { role, claims, claimsJson: JSON.stringify(claims), userId: null, authSessionId: null }
  const headers = { ...context.headers, authorization: 'Bearer console' }
  // The gateway's context has its signal from a getter, which a copy would lack.
  const { signal } = context
  return { ...context, signal, headers, identity: { kind: 'caller', caller, token: null } }
}

const idOf = ({ body }: { readonly body?: unknown }): string => textOf(body, 'id')

function textOf(body: unknown, field: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  if (typeof value !== 'string') throw new TypeError(`The answer has no ${field}.`)
  return value
}
