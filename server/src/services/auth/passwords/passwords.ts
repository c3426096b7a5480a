/** Hashes and checks passwords on other threads, a few at a time. */
export interface Passwords {
  /** A bcrypt hash, `$2a$` as the protocol's own server and pgcrypto write it. */
  hash(password: string): Promise<string>
  /** Whether the password fits. Without a hash it is compared nevertheless, and never fits. */
  matches(password: string, hash: string | null): Promise<boolean>
}

export type Weakness = 'length' | 'characters' | 'pwned'

/** A project's rules of a password. */
export interface PasswordPolicy {
  /**
   * Whether a password may be used.
   *
   * @throws weak_password with every reason; validation_failed beyond 72 bytes
   */
  check(password: string): Promise<void>
  /** Why a password is weak, and that in words; null when it is not. */
  judge(password: string): Promise<{ readonly message: string; readonly reasons: readonly Weakness[] } | null>
}

/** Whether a password is in a list of breached ones. */
export type IsPwned = (password: string) => Promise<boolean>
