import type { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Post } from '../mails/outbox.ts'
import type { Call } from '../model/call.ts'
import type { ExternalSignIn } from '../model/provided-user.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'

/** The user of an identity, or the error to throw after the commit: what was written before it stays. */
export type AccountOutcome =
  | { readonly kind: 'signed in'; readonly user: UserRow }
  | { readonly kind: 'error'; readonly error: ServiceError }

/** Accounts of users of a provider: what other features ask of this one. */
export interface Identities {
  /**
   * Finds or creates the user of a provider's user, in the caller's transaction.
   *
   * @throws signup_disabled, user_banned, over_email_send_rate_limit; unexpected_failure when several users match
   */
  resolveAccount(
    sql: RequestSql,
    signIn: ExternalSignIn,
    call: Pick<Call, 'context' | 'redirectTo'>,
    post: Post,
  ): Promise<AccountOutcome>
  /**
   * Adds an identity to a user, in the caller's transaction.
   *
   * @throws identity_already_exists, email_exists, user_banned, user_not_found, over_email_send_rate_limit
   */
  linkIdentity(
    sql: RequestSql,
    userId: string,
    signIn: ExternalSignIn,
    call: Pick<Call, 'context' | 'redirectTo'>,
    post: Post,
  ): Promise<AccountOutcome>
  /** Retries a change once when a concurrent call inserted the same user or identity between its read and its insert. */
  retryOnDuplicate<T>(change: () => Promise<T>): Promise<T>
}
