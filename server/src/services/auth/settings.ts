import {
  address,
  choice,
  type Declared,
  flag,
  integer,
  list,
  optionalInteger,
  optionalText,
  type Values,
} from '../../ground/settings/setting.ts'

import { isGlob } from './glob.ts'

const week = 604_800
const year = 31_536_000

/** The settings of sign-in; names follow the `[auth]` part of a project's `config.toml`. */
export const authSettings = {
  externalUrl: address({
    schemes: ['https', 'http'],
    default: 'http://127.0.0.1:54321/auth/v1',
    about:
      'Where browsers reach this service, with its prefix: the base of the links in mails and the issuer of tokens.',
  }),
  jwtIssuer: optionalText({
    default: null,
    about: 'The `iss` claim of access tokens, when it is not the external URL.',
  }),
  siteUrl: address({
    default: 'http://127.0.0.1:3000',
    about: 'The application: where a link in a mail leads when the request did not name another allowed address.',
  }),
  additionalRedirectUrls: list({
    of: { allowed: 'globs', fits: isGlob },
    default: ['https://127.0.0.1:3000'],
    about: 'Further addresses a link may lead to, as globs: * within a segment, ** across segments.',
  }),
  jwtExpirySeconds: integer({
    default: 3600,
    min: 30,
    max: week,
    about: 'How long an access token lives.',
  }),
  enableRefreshTokenRotation: flag({
    default: true,
    about: 'Whether a refresh token that is used again late ends its session.',
  }),
  refreshTokenReuseIntervalSeconds: integer({
    default: 10,
    min: 0,
    max: 3600,
    about: 'How long a used refresh token is still accepted, for tabs that refresh at the same time.',
  }),
  sessionTimeboxSeconds: optionalInteger({
    default: null,
    min: 60,
    max: year,
    about: 'How long a session may live in all; nothing for no limit.',
  }),
  sessionInactivityTimeoutSeconds: optionalInteger({
    default: null,
    min: 60,
    max: year,
    about: 'How long a session may go without a refresh; nothing for no limit.',
  }),
  enableSignup: flag({ default: true, about: 'Whether new users may sign up.' }),
  enableAnonymousSignIns: flag({ default: false, about: 'Whether users may sign up without an address.' }),
  minimumPasswordLength: integer({
    default: 6,
    min: 1,
    max: 72,
    about: 'The least length of a password, in bytes.',
  }),
  passwordRequirements: choice<
    '' | 'letters_digits' | 'lower_upper_letters_digits' | 'lower_upper_letters_digits_symbols'
  >({
    default: '',
    words: ['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols'],
    about: 'The kinds of characters a password must hold.',
  }),
  passwordHashConcurrency: integer({
    default: 2,
    min: 1,
    max: 64,
    about: 'How many passwords are hashed at a time, each on a thread of its own.',
  }),
  passwordHashQueue: integer({
    default: 500,
    min: 1,
    max: 100_000,
    about: 'How many sign-ins may wait for a hash; more are refused at once.',
  }),
  emailEnableSignup: flag({ default: true, about: 'Whether users may sign up and in by e-mail.' }),
  emailEnableConfirmations: flag({
    default: false,
    about: 'Whether an e-mail address must be confirmed before its user can sign in.',
  }),
  emailDoubleConfirmChanges: flag({
    default: true,
    about: 'Whether a change of address must be confirmed at the current address, too.',
  }),
  emailMaxFrequencySeconds: integer({
    default: 1,
    min: 0,
    max: 86_400,
    about: 'The least time between two mails of one kind to one user.',
  }),
  emailOtpLength: integer({ default: 6, min: 6, max: 10, about: 'Digits of a code sent by mail.' }),
  emailOtpExpirySeconds: integer({
    default: 3600,
    min: 30,
    max: 86_400,
    about: 'How long a code or link sent by mail can be used.',
  }),
  flowStateExpirySeconds: integer({
    default: 300,
    min: 300,
    max: 3600,
    about: 'How long the code of a PKCE flow can be exchanged.',
  }),
  rateLimitByAddress: flag({
    default: false,
    about: 'Whether calls are limited by the address they come from; on in production.',
  }),
  rateLimitSignInSignUps: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Sign-ups, mails and changes of a user in five minutes from one address, each counted by itself.',
  }),
  rateLimitTokenRefresh: integer({
    default: 150,
    min: 1,
    max: 1_000_000,
    about: 'Sign-ins and refreshes in five minutes from one address.',
  }),
  rateLimitTokenVerifications: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Codes and links tried in five minutes from one address.',
  }),
  rateLimitAnonymousUsers: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Anonymous sign-ups in an hour from one address.',
  }),
} as const satisfies Declared

export type AuthSettings = Values<typeof authSettings>
