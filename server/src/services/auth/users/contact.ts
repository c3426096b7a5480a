import type { Contact } from '../model/contact.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { findUserByEmail, findUserByPhone } from '../store/users.ts'

interface ConfirmationSettings {
  readonly emailEnableConfirmations: boolean
  readonly smsEnableConfirmations: boolean
}

/** Whether an address of a kind must be confirmed before its user can sign in. */
export const mustConfirm = ({ kind }: Pick<Contact, 'kind'>, settings: ConfirmationSettings): boolean =>
  kind === 'email' ? settings.emailEnableConfirmations : settings.smsEnableConfirmations

/** The user a contact belongs to, confirmed or not. */
export const findByContact = (
  sql: RequestSql,
  { kind, address }: Pick<Contact, 'kind' | 'address'>,
): Promise<UserRow | undefined> => (kind === 'email' ? findUserByEmail : findUserByPhone)(sql, address)

/** Whether a user has shown that the address is theirs. */
export const isConfirmed = (user: UserRow, { kind }: Pick<Contact, 'kind'>): boolean =>
  (kind === 'email' ? user.emailConfirmedAt : user.phoneConfirmedAt) !== null

/** A contact as columns of a user. */
export const addressOf = ({
  kind,
  address,
}: Pick<Contact, 'kind' | 'address'>): { readonly email: string | null; readonly phone: string | null } =>
  kind === 'email' ? { email: address, phone: null } : { email: null, phone: address }
