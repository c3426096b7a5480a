import type { Call, Parts } from '../deps.ts'
import type { SmsChannel } from '../model/sms.ts'
import type { CodeChallenge } from '../parse/challenge.ts'
import type { AuthSettings } from '../settings.ts'
import { findUserByEmail, findUserByPhone, type UserRow } from '../store/users.ts'

/** The address somebody signs up or in with, and what belongs to its kind. */
export type Contact =
  | { readonly kind: 'email'; readonly address: string; readonly challenge: CodeChallenge | null }
  | { readonly kind: 'phone'; readonly address: string; readonly channel: SmsChannel }

/** Whether an address of a kind must be confirmed before its user can sign in. */
export const mustConfirm = ({ kind }: Pick<Contact, 'kind'>, settings: AuthSettings): boolean =>
  kind === 'email' ? settings.emailEnableConfirmations : settings.smsEnableConfirmations

/** The user a contact belongs to, confirmed or not. */
export const findByContact = (
  parts: Pick<Parts, 'database'>,
  { kind, address }: Pick<Contact, 'kind' | 'address'>,
  call: Pick<Call, 'work'>,
): Promise<UserRow | undefined> =>
  (kind === 'email' ? findUserByEmail : findUserByPhone)(parts.database.sql, address, call.work)

/** Whether a user has shown that the address is theirs. */
export const isConfirmed = (user: UserRow, { kind }: Pick<Contact, 'kind'>): boolean =>
  (kind === 'email' ? user.emailConfirmedAt : user.phoneConfirmedAt) !== null

/** A contact as columns of a user. */
export const addressOf = ({
  kind,
  address,
}: Pick<Contact, 'kind' | 'address'>): { readonly email: string | null; readonly phone: string | null } =>
  kind === 'email' ? { email: address, phone: null } : { email: null, phone: address }
