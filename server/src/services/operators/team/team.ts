import type { Mailer } from '../../../engines/mail/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { randomToken } from '../../../ground/ids/tokens.ts'
import type { LiveNotices } from '../../../ground/model/live.ts'
import { parseEmail, parseName, parsePassword } from '../accounts/parse.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { Operator, OperatorRole } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { Attempts } from '../sessions/attempts.ts'
import type { Client } from '../sessions/client.ts'
import type { Sessions, SignedIn } from '../sessions/sessions.ts'
import type { OperatorsSettings } from '../settings.ts'
import { renderInvitation } from './mail.ts'
import {
  acceptInvitation,
  changeMember,
  deleteInvitation,
  findInvitation,
  findInvitations,
  findMembers,
  type Invitation,
  insertInvitation,
  type Member,
  type MemberChange,
  removeMember,
} from './store.ts'

export interface TeamDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly secrets: Pick<Secrets, 'hashToken' | 'tokenHashes'>
  readonly passwords: Passwords
  readonly attempts: Pick<Attempts, 'setup'>
  readonly startSession: Sessions['start']
  readonly live: LiveNotices
  readonly mailer: Mailer
  readonly project: string
  readonly consoleUrl: string
  readonly settings: Pick<OperatorsSettings, 'invitationHours' | 'minimumPasswordLength'>
}

/** An invitation that was made, with its link, which is known this once. */
export interface NewInvitation {
  readonly url: string
  readonly expiresAt: Date
  /** Whether the mail with the link was accepted for delivery. */
  readonly isMailed: boolean
}

/** The operators of the console, and those who are asked to become one. */
export interface Team {
  list(): Promise<{ readonly members: readonly Member[]; readonly invitations: readonly Invitation[] }>
  /**
   * Makes a link that creates an account of a role, good once, in place of an earlier one to the address, and mails it.
   *
   * @throws CLEW_OPERATORS_INVALID, CLEW_OPERATORS_IS_MEMBER
   */
  invite(by: Operator, email: string, role: OperatorRole): Promise<NewInvitation>
  /** @throws CLEW_OPERATORS_NOT_FOUND */
  withdraw(invitationId: string): Promise<void>
  /** What a link invites to. @throws CLEW_OPERATORS_INVITATION_OVER, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  invitation(token: string, client: Client): Promise<Invitation>
  /** Creates the invited account and signs it in. @throws as `invitation`, CLEW_OPERATORS_INVALID */
  join(input: NewMember, client: Client): Promise<SignedIn>
  /** Holds from the next request on. @throws CLEW_OPERATORS_LAST_OWNER, CLEW_OPERATORS_NOT_FOUND */
  changeRole(id: string, role: OperatorRole): Promise<void>
  /**
   * Deletes an account with its sessions, factors and access tokens.
   *
   * @param isErased whether the audit log keeps a pseudonym in place of their address
   * @throws as `changeRole`
   */
  remove(id: string, isErased: boolean): Promise<void>
}

/** An invited person, as typed. */
export interface NewMember {
  readonly token: string
  readonly name: string
  readonly password: string
}

const hourMs = 3_600_000

export function createTeam(deps: TeamDeps): Team {
  const { sql, now, newId, secrets, passwords, attempts, startSession, live, mailer, settings } = deps
  const findByToken = async (token: string, client: Client): Promise<Invitation> => {
    attempts.setup(client)
    const found = await findInvitation(sql, secrets.tokenHashes(token), now())
    if (found === undefined) throw operatorsError('CLEW_OPERATORS_INVITATION_OVER')
    return found
  }
  const settle = (outcome: MemberChange): void => {
    if (outcome === 'last owner') throw operatorsError('CLEW_OPERATORS_LAST_OWNER')
    if (outcome === 'unknown') throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    live.announce('access')
  }
  return {
    async list() {
      const [members, invitations] = await Promise.all([findMembers(sql, now()), findInvitations(sql)])
      return { members, invitations }
    },
    async invite(by, typed, role) {
      const email = parseEmail(typed)
      const token = randomToken()
      const createdAt = now()
      const expiresAt = new Date(createdAt.getTime() + settings.invitationHours * hourMs)
      const invitation = { id: newId(), email, role, invitedBy: by.email, createdAt, expiresAt }
      if (!(await insertInvitation(sql, { ...invitation, tokenHash: secrets.hashToken(token) })))
        throw operatorsError('CLEW_OPERATORS_IS_MEMBER')
      // The token stands behind the #, which no server and no log is sent.
      const url = `${deps.consoleUrl}/join#${token}`
      const mail = { to: email, role, by, project: deps.project, url, hours: settings.invitationHours }
      const isMailed = await mailer.send(renderInvitation(mail)).then(
        () => true,
        () => false,
      )
      return { url, expiresAt, isMailed }
    },
    async withdraw(id) {
      if ((await deleteInvitation(sql, id)) === undefined) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    },
    invitation: findByToken,
    async join({ token, name, password }, client) {
      await findByToken(token, client)
      parsePassword(password, settings.minimumPasswordLength)
      const account = { id: newId(), name: parseName(name), passwordHash: await passwords.hash(password) }
      const operator = await acceptInvitation(sql, secrets.tokenHashes(token), account, now())
      if (operator === undefined) throw operatorsError('CLEW_OPERATORS_INVITATION_OVER')
      return startSession(operator, client)
    },
    changeRole: async (id, role) => settle(await changeMember(sql, id, role)),
    remove: async (id, isErased) => settle(await removeMember(sql, id, isErased)),
  }
}
