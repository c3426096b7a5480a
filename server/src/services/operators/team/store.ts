import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { type Account, type Operator, type OperatorRole, operatorColumns } from '../accounts/store.ts'
import { eraseFromActions } from '../audit/store.ts'

/** An operator, as the team sees them. */
export interface Member extends Operator {
  readonly createdAt: Date
  /** Null for an operator without a session. */
  readonly lastSeenAt: Date | null
  readonly hasSecondFactor: boolean
}

/** A link that was sent and not used yet. */
export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  /** E-mail address of the operator who sent it. */
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Every operator, in the order in which they joined. */
export const findMembers = async (on: Sql, now: Date): Promise<readonly Member[]> =>
  (await on.query<Member>(selectMembersStatement(now))).rows

const selectMembersStatement = (now: Date): Statement =>
  compile(sql`
    select ${operatorColumns}, o.created_at as "createdAt",
      (
        select max(s.last_seen_at) from clew_operators.operator_sessions s
        where s.operator_id = o.id and s.expires_at > ${typed(now, 'timestamptz')}
      ) as "lastSeenAt",
      exists (select from clew_operators.operator_totp t where t.operator_id = o.id and t.confirmed_at is not null)
        or exists (select from clew_operators.operator_passkeys p where p.operator_id = o.id) as "hasSecondFactor"
    from clew_operators.operators o
    order by o.created_at, o.id`)

/** Every invitation, newest first; those that expired, too: their operator may wonder where they are. */
export const findInvitations = async (on: Sql): Promise<readonly Invitation[]> =>
  (await on.query<Invitation>(selectInvitationsStatement())).rows

const invitationColumns = sql`id, email, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"`

const selectInvitationsStatement = (): Statement =>
  compile(sql`select ${invitationColumns} from clew_operators.invitations order by created_at desc, id desc`)

/** The invitation of a token that is valid at `now`. */
export const findInvitation = async (
  on: Sql,
  tokenHashes: readonly string[],
  now: Date,
): Promise<Invitation | undefined> => (await on.query<Invitation>(selectInvitationStatement(tokenHashes, now))).rows[0]

const selectInvitationStatement = (tokenHashes: readonly string[], now: Date): Statement =>
  compile(sql`
    select ${invitationColumns} from clew_operators.invitations
    where token_hash = any (${typed(tokenHashes, 'text[]')}) and expires_at > ${now}`)

/** Stores an invitation in place of an earlier one to its address. @returns false where an operator has the address */
export const insertInvitation = async (on: Sql, invitation: Invitation & { readonly tokenHash: string }) =>
  (await on.query(insertInvitationStatement(invitation))).rowCount === 1

const insertInvitationStatement = (invitation: Invitation & { readonly tokenHash: string }): Statement =>
  compile(sql`
    insert into clew_operators.invitations (id, email, role, invited_by, token_hash, created_at, expires_at)
    select ${typed(invitation.id, 'uuid')}, ${typed(invitation.email, 'text')}, ${typed(invitation.role, 'text')},
      ${typed(invitation.invitedBy, 'text')}, ${typed(invitation.tokenHash, 'text')},
      ${typed(invitation.createdAt, 'timestamptz')}, ${typed(invitation.expiresAt, 'timestamptz')}
    where not exists (select from clew_operators.operators where email = ${typed(invitation.email, 'text')})
    on conflict (email) do update set id = excluded.id, role = excluded.role, invited_by = excluded.invited_by,
      token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`)

/** Takes an invitation back. @returns its address; undefined where there is none of the id */
export const deleteInvitation = async (on: Sql, id: string): Promise<string | undefined> =>
  (await on.query<{ email: string }>(deleteInvitationStatement(id))).rows[0]?.email

const deleteInvitationStatement = (id: string): Statement =>
  compile(sql`delete from clew_operators.invitations where id = ${typed(id, 'uuid')} returning email`)

/**
 * Makes an operator in the role and with the address of an invitation. It is deleted in the same
 * transaction, and its row's lock lets one of several callers through.
 *
 * @returns the operator; undefined for a token that is not valid, and where the address is an operator's by now
 */
export const acceptInvitation = (
  on: Sql,
  tokenHashes: readonly string[],
  account: Pick<Account, 'id' | 'name' | 'passwordHash'>,
  now: Date,
): Promise<Operator | undefined> =>
  on.transaction(async (transaction) => {
    const { rows } = await transaction.query<Operator>(acceptInvitationStatement(tokenHashes, account, now))
    return rows[0]
  })

const acceptInvitationStatement = (
  tokenHashes: readonly string[],
  { id, name, passwordHash }: Pick<Account, 'id' | 'name' | 'passwordHash'>,
  now: Date,
): Statement =>
  compile(sql`
    with accepted as (
      delete from clew_operators.invitations
      where token_hash = any (${typed(tokenHashes, 'text[]')}) and expires_at > ${typed(now, 'timestamptz')}
      returning email, role
    )
    insert into clew_operators.operators (id, email, name, password_hash, role, created_at)
    select ${typed(id, 'uuid')}, accepted.email, ${typed(name, 'text')}, ${typed(passwordHash, 'text')}, accepted.role,
      ${typed(now, 'timestamptz')}
    from accepted
    on conflict (email) do nothing
    returning id, name, email, role`)

/** What became of a change of the team. */
export type MemberChange = 'done' | 'last owner' | 'unknown'

/** Gives an operator another role. */
export const changeMember = (on: Sql, id: string, role: OperatorRole): Promise<MemberChange> =>
  unlessLastOwner(on, id, role !== 'owner', async (transaction) => {
    const { rowCount } = await transaction.query(updateRoleStatement(id, role))
    return rowCount === 1
  })

/**
 * Removes an operator with their sessions, factors and tokens.
 *
 * @param isErased whether a pseudonym replaces their address in the audit log and in open invitations that they sent
 */
export const removeMember = (on: Sql, id: string, isErased: boolean): Promise<MemberChange> =>
  unlessLastOwner(on, id, true, async (transaction) => {
    const { rows } = await transaction.query<{ email: string }>(deleteMemberStatement(id))
    const [removed] = rows
    if (removed !== undefined && isErased) {
      const pseudonym = `former operator ${id.slice(-8)}`
      await eraseFromActions(transaction, { ...removed, id, pseudonym })
      await transaction.query(eraseInviterStatement(removed.email, pseudonym))
    }
    return removed !== undefined
  })

/**
 * Changes an operator, but for the last owner's role. The owners' rows are locked, so that of two owners who demote each other
 * one stays.
 *
 * @param change whether there was an operator to change
 */
const unlessLastOwner = (
  on: Sql,
  id: string,
  losesRole: boolean,
  change: (transaction: Pick<Sql, 'query'>) => Promise<boolean>,
): Promise<MemberChange> =>
  on.transaction(async (transaction) => {
    const { rows: owners } = await transaction.query<{ id: string }>(lockOwnersStatement())
    if (losesRole && owners.length === 1 && owners[0]?.id === id) return 'last owner'
    return (await change(transaction)) ? 'done' : 'unknown'
  })

const lockOwnersStatement = (): Statement =>
  compile(sql`select id from clew_operators.operators where role = 'owner' order by id for update`)

const updateRoleStatement = (id: string, role: OperatorRole): Statement =>
  compile(sql`update clew_operators.operators set role = ${role} where id = ${typed(id, 'uuid')}`)

const deleteMemberStatement = (id: string): Statement =>
  compile(sql`delete from clew_operators.operators where id = ${typed(id, 'uuid')} returning email`)

const eraseInviterStatement = (email: string, pseudonym: string): Statement =>
  compile(sql`update clew_operators.invitations set invited_by = ${pseudonym} where invited_by = ${email}`)
