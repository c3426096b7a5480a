import Type from 'typebox'
import {
  address,
  type Declared,
  matching,
  nullable,
  pairs,
  setting,
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

/** The settings of sign-in; names follow the `[auth]` part of a project's `config.toml`. */
export const authSettings = {
  externalUrl: setting(address(['https', 'http']), {
    default: 'http://127.0.0.1:54321/auth/v1',
    description:
      'Where browsers reach this service, with its prefix: the base of the links in mails and the issuer of tokens.',
  }),
  jwtIssuer: setting(nullable(Type.String()), {
    default: null,
    description: 'The `iss` claim of access tokens, when it is not the external URL.',
  }),
  siteUrl: setting(address(), {
    default: 'http://127.0.0.1:3000',
    description: 'The application: where a link in a mail leads when the request did not name another allowed address.',
  }),
  additionalRedirectUrls: setting(Type.Array(matching({ allowed: 'globs', fits: isGlob })), {
    default: ['https://127.0.0.1:3000'],
    description: 'Further addresses a link may lead to, as globs: * within a segment, ** across segments.',
  }),
  jwtAudience: setting(text, {
    default: 'authenticated',
    description: 'The `aud` of users and tokens where the request names none.',
  }),
  jwtDefaultRole: setting(text, { default: 'authenticated', description: 'The PostgreSQL role of new users.' }),
  jwtAdminRoles: setting(Type.Array(Type.String()), {
    default: ['service_role', 'supabase_admin'],
    description: 'Roles whose tokens may use the admin API.',
  }),
  signingKeysPath: setting(nullable(Type.String()), {
    default: null,
    description:
      'A file with the keys that sign and verify tokens, as a JSON array of JSON Web Keys; the one whose key_ops hold `sign` signs. The data directory’s own key where nothing is said.',
  }),
  thirdPartyIssuers: setting(Type.Array(matching({ allowed: 'issuers (https://…)', fits: isIssuer })), {
    default: [],
    description:
      'Others whose tokens the application’s calls may carry, by their `iss`; their keys are found by OpenID discovery. They sign nobody in here, and make nobody an administrator.',
  }),
  thirdPartyAudiences: setting(Type.Array(Type.String()), {
    default: [],
    description: 'What the `aud` of such tokens must be one of; anything where nothing is said.',
  }),
  jwtExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: week }), {
    default: 3600,
    description: 'How long an access token lives.',
  }),
  enableRefreshTokenRotation: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a refresh token that is used again late ends its session.',
  }),
  refreshTokenReuseIntervalSeconds: setting(Type.Integer({ minimum: 0, maximum: 3600 }), {
    default: 10,
    description: 'How long a used refresh token is still accepted, for tabs that refresh at the same time.',
  }),
  refreshTokenAllowReuse: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a signed refresh token stays good however often it was used.',
  }),
  refreshTokenAlgorithmVersion: setting(Type.Integer({ minimum: 1, maximum: 2 }), {
    default: 1,
    description: 'How refresh tokens of new sessions are made: 1 opaque, 2 signed, which needs no row for each.',
  }),
  refreshTokenUpgradePercentage: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    default: 0,
    description: 'The share of sessions with opaque refresh tokens that go over to signed ones, where those are used.',
  }),
  sessionSinglePerUser: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a user’s newest session of a tag is the only one that can be refreshed.',
  }),
  sessionTags: setting(Type.Array(Type.String()), {
    default: [],
    description: 'The kinds of sessions a user may have one of each of; a session of no kind counts as the first.',
  }),
  sessionAllowLowAalSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a user with a second factor may go without verifying it; nothing for no limit.',
  }),
  sessionTimeboxSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a session may live in all; nothing for no limit.',
  }),
  sessionInactivityTimeoutSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a session may go without a refresh; nothing for no limit.',
  }),
  enableSignup: setting(Type.Boolean(), { default: true, description: 'Whether new users may sign up.' }),
  enableAnonymousSignIns: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign up without an address.',
  }),
  minimumPasswordLength: setting(Type.Integer({ minimum: 1, maximum: 72 }), {
    default: 6,
    description: 'The least length of a password, in bytes.',
  }),
  passwordRequirements: setting(
    Type.Enum(['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols']),
    { default: '', description: 'The kinds of characters a password must hold.' },
  ),
  passwordRequiredCharacters: setting(nullable(Type.String()), {
    default: null,
    description:
      'Further sets of characters, separated by colons, of which a password must hold one each; `\\:` is a colon.',
  }),
  passwordHibpEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether passwords known from breaches are refused; five digits of their SHA-1 are sent out.',
  }),
  passwordHibpUrl: setting(address(['https', 'http']), {
    default: 'https://api.pwnedpasswords.com/range',
    description: 'Where the list of breached passwords is asked, as the Pwned Passwords API answers it.',
  }),
  passwordHibpFailClosed: setting(Type.Boolean(), {
    default: false,
    description: 'Whether every password counts as breached while the list cannot be asked.',
  }),
  securePasswordChange: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a password is changed only within 24 hours of signing in, or with a code sent for it.',
  }),
  requireCurrentPassword: setting(Type.Boolean(), {
    default: false,
    description: 'Whether the current password must be sent with a new one, unless the session came of a link or code.',
  }),
  passwordHashConcurrency: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 2,
    description: 'How many passwords are hashed at a time, each on a thread of its own.',
  }),
  passwordHashQueue: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description: 'How many sign-ins may wait for a hash; more are refused at once.',
  }),
  emailEnableSignup: setting(Type.Boolean(), {
    default: true,
    description: 'Whether users may sign up and in by e-mail.',
  }),
  emailEnableMagicLink: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a link or code sent by mail signs users in.',
  }),
  emailEnableConfirmations: setting(nullable(Type.Boolean()), {
    default: null,
    description:
      'Whether an e-mail address must be confirmed before its user can sign in; where nothing is said in production only.',
  }),
  emailAuthorizedAddresses: setting(Type.Array(Type.String()), {
    default: [],
    description: 'The only addresses that mails are sent to; empty for any.',
  }),
  emailExtendedValidation: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether addresses in domains that are set aside (example.com, .test) are refused where a mail would be sent.',
  }),
  emailDoubleConfirmChanges: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a change of address must be confirmed at the current address, too.',
  }),
  emailMaxFrequencySeconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    default: 1,
    description: 'The least time between two mails of one kind to one user.',
  }),
  ...mailTextSettings,
  emailOtpLength: setting(Type.Integer({ minimum: 6, maximum: 10 }), {
    default: 6,
    description: 'Digits of a code sent by mail.',
  }),
  emailOtpExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: 86_400 }), {
    default: 3600,
    description: 'How long a code or link sent by mail can be used.',
  }),
  smsEnableSignup: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign up and in by phone.',
  }),
  smsEnableConfirmations: setting(nullable(Type.Boolean()), {
    default: null,
    description:
      'Whether a phone number must be confirmed by a code before its user can sign in; where nothing is said in production only.',
  }),
  smsTemplate: setting(text, {
    default: 'Your code is {{ .Code }}',
    description: 'The text of a message with a code.',
  }),
  smsMaxFrequencySeconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    default: 5,
    description: 'The least time between two messages of one kind to one user.',
  }),
  smsOtpLength: setting(Type.Integer({ minimum: 6, maximum: 10 }), {
    default: 6,
    description: 'Digits of a code sent by text message.',
  }),
  smsOtpExpirySeconds: setting(Type.Integer({ minimum: 10, maximum: 86_400 }), {
    default: 60,
    description: 'How long a code sent by text message can be used.',
  }),
  otpMaxWrongGuesses: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 10,
    description:
      'Wrong guesses after which a code sent by mail or message is void: from the network that asked for it, and from all others together, each counted by itself. The link beside it stays good.',
  }),
  ...smsProviderSettings,
  smsTestOtp: setting(
    pairs({
      allowed: 'numbers with their codes (4152127777=123456)',
      fits: (pair) => /^\d{7,15}=\d{6,10}$/.test(pair),
    }),
    {
      default: [],
      description:
        'Numbers whose code is always the given one, and which are sent nothing; in clew.toml a table or a list.',
    },
  ),
  smsTestOtpValidUntil: setting(nullable(Type.String()), {
    default: null,
    description: 'The instant (ISO 8601) after which the test numbers are numbers like any other.',
  }),
  flowStateExpirySeconds: setting(Type.Integer({ minimum: 300, maximum: 3600 }), {
    default: 300,
    description: 'How long the code of a PKCE flow can be exchanged.',
  }),
  adminCursorPagination: setting(Type.Boolean(), {
    default: false,
    description: 'Whether lists of users that ask for no page are walked by a cursor and not counted; experimental.',
  }),
  requestTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 300 }), {
    limit: true,
    default: 10,
    description: 'How long a call may take until it is answered that it took too long.',
  }),
  cleanUpIntervalSeconds: setting(Type.Integer({ minimum: 10, maximum: 86_400 }), {
    default: 300,
    description: 'How often ended sessions, used tokens and forgotten flows are deleted.',
  }),
  auditRetentionDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 36_500 })), {
    default: null,
    description: 'How long entries of the audit log are kept; nothing for ever.',
  }),
  anonymousUserRetentionDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 36_500 })), {
    default: null,
    description: 'How long anonymous users are kept after they came, with all that refers to them; nothing for ever.',
  }),
  rateLimitByAddress: setting(Type.Boolean(), {
    default: false,
    description: 'Whether calls are limited by the address they come from; on in production.',
  }),
  rateLimitSignInSignUps: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Sign-ups, mails and changes of a user in five minutes from one address, each counted by itself.',
  }),
  rateLimitTokenRefresh: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 150,
    description:
      'Sign-ins and refreshes in five minutes from one address; exchanges of the OAuth server likewise, counted by themselves.',
  }),
  rateLimitTokenVerifications: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description:
      'Codes and links tried in five minutes from one address; of wrong codes for one contact as many are refused as wrong, more as too many.',
  }),
  rateLimitAnonymousUsers: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Anonymous sign-ups in an hour from one address.',
  }),
  rateLimitEmailSent: setting(nullable(matching(allowance)), {
    limit: true,
    default: null,
    description:
      'Mails of the whole project, as `30` (an hour) or `100/24h`; 0 for none. Where nothing is said 30 an hour if calls are limited by address, else any number. Not counted while addresses need no confirmation.',
  }),
  rateLimitSmsSent: setting(nullable(matching(allowance)), {
    limit: true,
    default: null,
    description: 'Text messages of the whole project, likewise.',
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
