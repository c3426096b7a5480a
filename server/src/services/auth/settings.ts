import {
  address,
  choice,
  type Declared,
  flag,
  integer,
  list,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTextOf,
  type Setting,
  text,
  type Values,
} from '../../ground/settings/setting.ts'
import { captchaSettings } from './captcha/settings.ts'
import { factorSettings } from './factors/settings.ts'
import { hookSettings } from './hooks/settings.ts'
import { isGlob } from './http/glob.ts'
import { parseAllowance } from './limits/quota.ts'
import { mailTextSettings } from './mails/settings.ts'
import { oauthServerSettings } from './oauth-server/settings.ts'
import { externalSettings } from './providers/settings.ts'
import { smsProviderSettings } from './sms-providers/settings.ts'
import { ssoSettings } from './sso/settings.ts'
import { isIssuer } from './third-party/issuer.ts'
import { web3Settings } from './web3/settings.ts'

const week = 604_800
const year = 31_536_000
const allowance = {
  allowed: 'a number (30) or a number in a time (100/24h)',
  fits: (raw: string) => parseAllowance(raw) !== undefined,
}

/** A list of pairs that may be written as a table: `4152127777 = "123456"` for `4152127777=123456`. */
const pairs = (common: Parameters<typeof list>[0]): Setting<readonly string[]> => {
  const asList = list(common)
  const isTable = (raw: unknown): raw is object => typeof raw === 'object' && raw !== null && !Array.isArray(raw)
  const read = (raw: unknown) =>
    asList.read(isTable(raw) ? Object.entries(raw).map(([name, value]) => `${name}=${value}`) : raw)
  return { ...asList, read }
}

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
  jwtAudience: text({
    default: 'authenticated',
    about: 'The `aud` of users and tokens where the request names none.',
  }),
  jwtDefaultRole: text({ default: 'authenticated', about: 'The PostgreSQL role of new users.' }),
  jwtAdminRoles: list({
    default: ['service_role', 'supabase_admin'],
    about: 'Roles whose tokens may use the admin API.',
  }),
  signingKeysPath: optionalText({
    default: null,
    about:
      'A file with the keys that sign and verify tokens, as a JSON array of JSON Web Keys; the one whose key_ops hold `sign` signs. The data directory’s own key where nothing is said.',
  }),
  thirdPartyIssuers: list({
    of: { allowed: 'issuers (https://…)', fits: isIssuer },
    default: [],
    about:
      'Others whose tokens the application’s calls may carry, by their `iss`; their keys are found by OpenID discovery. They sign nobody in here, and make nobody an administrator.',
  }),
  thirdPartyAudiences: list({
    default: [],
    about: 'What the `aud` of such tokens must be one of; anything where nothing is said.',
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
  refreshTokenAllowReuse: flag({
    default: false,
    about: 'Whether a signed refresh token stays good however often it was used.',
  }),
  refreshTokenAlgorithmVersion: integer({
    default: 1,
    min: 1,
    max: 2,
    about: 'How refresh tokens of new sessions are made: 1 opaque, 2 signed, which needs no row for each.',
  }),
  refreshTokenUpgradePercentage: integer({
    default: 0,
    min: 0,
    max: 100,
    about: 'The share of sessions with opaque refresh tokens that go over to signed ones, where those are used.',
  }),
  sessionSinglePerUser: flag({
    default: false,
    about: 'Whether a user’s newest session of a tag is the only one that can be refreshed.',
  }),
  sessionTags: list({
    default: [],
    about: 'The kinds of sessions a user may have one of each of; a session of no kind counts as the first.',
  }),
  sessionAllowLowAalSeconds: optionalInteger({
    default: null,
    min: 60,
    max: year,
    about: 'How long a user with a second factor may go without verifying it; nothing for no limit.',
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
  passwordRequiredCharacters: optionalText({
    default: null,
    about: 'Further sets of characters, separated by colons, of which a password must hold one each; `\\:` is a colon.',
  }),
  passwordHibpEnabled: flag({
    default: false,
    about: 'Whether passwords known from breaches are refused; five digits of their SHA-1 are sent out.',
  }),
  passwordHibpUrl: address({
    schemes: ['https', 'http'],
    default: 'https://api.pwnedpasswords.com/range',
    about: 'Where the list of breached passwords is asked, as the Pwned Passwords API answers it.',
  }),
  passwordHibpFailClosed: flag({
    default: false,
    about: 'Whether every password counts as breached while the list cannot be asked.',
  }),
  securePasswordChange: flag({
    default: false,
    about: 'Whether a password is changed only within 24 hours of signing in, or with a code sent for it.',
  }),
  requireCurrentPassword: flag({
    default: false,
    about: 'Whether the current password must be sent with a new one, unless the session came of a link or code.',
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
  emailEnableMagicLink: flag({ default: true, about: 'Whether a link or code sent by mail signs users in.' }),
  emailEnableConfirmations: optionalFlag({
    default: null,
    about:
      'Whether an e-mail address must be confirmed before its user can sign in; where nothing is said in production only.',
  }),
  emailAuthorizedAddresses: list({
    default: [],
    about: 'The only addresses that mails are sent to; empty for any.',
  }),
  emailExtendedValidation: flag({
    default: false,
    about:
      'Whether addresses in domains that are set aside (example.com, .test) are refused where a mail would be sent.',
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
  ...mailTextSettings,
  emailOtpLength: integer({ default: 6, min: 6, max: 10, about: 'Digits of a code sent by mail.' }),
  emailOtpExpirySeconds: integer({
    default: 3600,
    min: 30,
    max: 86_400,
    about: 'How long a code or link sent by mail can be used.',
  }),
  smsEnableSignup: flag({ default: false, about: 'Whether users may sign up and in by phone.' }),
  smsEnableConfirmations: optionalFlag({
    default: null,
    about:
      'Whether a phone number must be confirmed by a code before its user can sign in; where nothing is said in production only.',
  }),
  smsTemplate: text({
    default: 'Your code is {{ .Code }}',
    about: 'The text of a message with a code.',
  }),
  smsMaxFrequencySeconds: integer({
    default: 5,
    min: 0,
    max: 86_400,
    about: 'The least time between two messages of one kind to one user.',
  }),
  smsOtpLength: integer({ default: 6, min: 6, max: 10, about: 'Digits of a code sent by text message.' }),
  smsOtpExpirySeconds: integer({
    default: 60,
    min: 10,
    max: 86_400,
    about: 'How long a code sent by text message can be used.',
  }),
  otpMaxWrongGuesses: integer({
    default: 10,
    min: 1,
    max: 1000,
    about:
      'Wrong guesses after which a code sent by mail or message is void: from the network that asked for it, and from all others together, each counted by itself. The link beside it stays good.',
  }),
  ...smsProviderSettings,
  smsTestOtp: pairs({
    of: { allowed: 'numbers with their codes (4152127777=123456)', fits: (pair) => /^\d{7,15}=\d{6,10}$/.test(pair) },
    default: [],
    about: 'Numbers whose code is always the given one, and which are sent nothing; in clew.toml a table or a list.',
  }),
  smsTestOtpValidUntil: optionalText({
    default: null,
    about: 'The instant (ISO 8601) after which the test numbers are numbers like any other.',
  }),
  flowStateExpirySeconds: integer({
    default: 300,
    min: 300,
    max: 3600,
    about: 'How long the code of a PKCE flow can be exchanged.',
  }),
  adminCursorPagination: flag({
    default: false,
    about: 'Whether lists of users that ask for no page are walked by a cursor and not counted; experimental.',
  }),
  requestTimeoutSeconds: integer({
    default: 10,
    min: 1,
    max: 300,
    about: 'How long a call may take until it is answered that it took too long.',
  }),
  cleanUpIntervalSeconds: integer({
    default: 300,
    min: 10,
    max: 86_400,
    about: 'How often ended sessions, used tokens and forgotten flows are deleted.',
  }),
  auditRetentionDays: optionalInteger({
    default: null,
    min: 1,
    max: 36_500,
    about: 'How long entries of the audit log are kept; nothing for ever.',
  }),
  anonymousUserRetentionDays: optionalInteger({
    default: null,
    min: 1,
    max: 36_500,
    about: 'How long anonymous users are kept after they came, with all that refers to them; nothing for ever.',
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
    about:
      'Sign-ins and refreshes in five minutes from one address; exchanges of the OAuth server likewise, counted by themselves.',
  }),
  rateLimitTokenVerifications: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about:
      'Codes and links tried in five minutes from one address; of wrong codes for one contact as many are refused as wrong, more as too many.',
  }),
  rateLimitAnonymousUsers: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Anonymous sign-ups in an hour from one address.',
  }),
  rateLimitEmailSent: optionalTextOf({
    default: null,
    about:
      'Mails of the whole project, as `30` (an hour) or `100/24h`; 0 for none. Where nothing is said 30 an hour if calls are limited by address, else any number. Not counted while addresses need no confirmation.',
    of: allowance,
  }),
  rateLimitSmsSent: optionalTextOf({
    default: null,
    about: 'Text messages of the whole project, likewise.',
    of: allowance,
  }),
  ...captchaSettings,
  ...hookSettings,
  ...oauthServerSettings,
  ...externalSettings,
  ...factorSettings,
  ...ssoSettings,
  ...web3Settings,
} as const satisfies Declared

/** As somebody gave them. */
export type GivenAuthSettings = Values<typeof authSettings>

/** The same, with nothing left open that depends on the mode. */
export type AuthSettings = Omit<GivenAuthSettings, 'emailEnableConfirmations' | 'smsEnableConfirmations'> & {
  readonly emailEnableConfirmations: boolean
  readonly smsEnableConfirmations: boolean
}

/** Who signs up in production has to prove the address: without that anybody is whoever they say they are. */
export const settleAuthSettings = (given: GivenAuthSettings, production: boolean): AuthSettings => ({
  ...given,
  emailEnableConfirmations: given.emailEnableConfirmations ?? production,
  smsEnableConfirmations: given.smsEnableConfirmations ?? production,
})
