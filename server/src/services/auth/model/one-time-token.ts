/**
 * Whether a code answers the sign-up that chose the account's password. `from there`: when it is asked for from the network
 * that asked before.
 */
export type OfSignUp = boolean | 'from there'

/** The purpose of a one-time token. */
export type TokenKind =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'phone_change_token'
  | 'reauthentication_token'
