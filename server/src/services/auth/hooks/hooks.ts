import type { Claims } from '../../../ground/model/caller.ts'
import type { RequestContext } from '../model/call.ts'
import type { RequestSql } from '../store/database.ts'

/** A user as the protocol renders it. */
export type RenderedUser = Readonly<Record<string, unknown>>

/** The content of the mail that the hook sends (auth §27); empty texts where there is nothing to say. */
export interface HookEmail {
  readonly token: string
  readonly token_hash: string
  readonly redirect_to: string
  readonly email_action_type: string
  readonly site_url: string
  readonly token_new: string
  readonly token_hash_new: string
  readonly old_email: string
  readonly old_phone: string
  readonly provider: string
  readonly factor_type: string
}

/** The content of the text message that the hook sends. */
export interface HookSms {
  readonly otp: string
  readonly phone: string
  readonly sms_type: string
}

export type HookDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'reject'; readonly message: string; readonly logOut: boolean }

/** Where in a request a hook is called; a function of the database runs in the transaction when there is one. */
export interface HookPlace {
  readonly sql: RequestSql | null
  readonly context: RequestContext
}

/** The points at which a project's own code is asked (auth §27). A hook that is not set lets everything pass. */
export interface Hooks {
  /** @throws the hook's error */
  readonly beforeUserCreated: (user: RenderedUser, place: HookPlace) => Promise<void>
  /** After the commit; what it answers is ignored, and what it throws is for the log. */
  readonly afterUserCreated: (user: RenderedUser, context: RequestContext) => Promise<void>
  readonly customizeAccessToken: (
    token: { readonly userId: string; readonly claims: Claims; readonly authenticationMethod: string },
    place: HookPlace,
  ) => Promise<Claims>
  readonly judgePassword: (
    attempt: { readonly userId: string; readonly valid: boolean },
    context: RequestContext,
  ) => Promise<HookDecision>
  readonly judgeFactor: (
    attempt: {
      readonly userId: string
      readonly factorId: string
      readonly factorType: string
      readonly valid: boolean
    },
    context: RequestContext,
  ) => Promise<HookDecision>
  /** Sends a mail in place of the mailer; null when the mailer sends. */
  readonly sendEmail: ((user: RenderedUser, email: HookEmail, place: HookPlace) => Promise<void>) | null
  /** Sends a text message in place of the provider; null when the provider sends. */
  readonly sendSms: ((user: RenderedUser, sms: HookSms, place: HookPlace) => Promise<void>) | null
}
