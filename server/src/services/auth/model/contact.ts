import type { CodeChallenge } from './code-challenge.ts'
import type { SmsChannel } from './sms.ts'

/** The address of a sign-up or sign-in, and what belongs to its kind. */
export type Contact =
  | { readonly kind: 'email'; readonly address: string; readonly challenge: CodeChallenge | null }
  | { readonly kind: 'phone'; readonly address: string; readonly channel: SmsChannel }
