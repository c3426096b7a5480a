import Type from 'typebox'
import { type Declared, matching, nullable, setting, type Values } from '../../../ground/settings/setting.ts'
import { areHookSecrets, isHookUri } from './target.ts'

const uri = (about: string) =>
  setting(
    nullable(
      matching({
        allowed: 'pg-functions://postgres/<schema>/<function>, https://… or /functions/v1/<name>',
        fits: isHookUri,
      }),
    ),
    { default: null, description: about },
  )

const secrets = (hook: string) =>
  setting(nullable(matching({ allowed: 'v1,whsec_<base64>, several joined by |', fits: areHookSecrets })), {
    default: null,
    secret: true,
    description: `What calls of the ${hook} hook are signed with, when it is a web address.`,
  })

/** The settings of hooks; names follow `[auth.hook.…]` of a project's `config.toml`. */
export const hookSettings = {
  hookBeforeUserCreatedUri: uri('What is asked before a user is created, and may refuse.'),
  hookBeforeUserCreatedSecrets: secrets('before-user-created'),
  hookAfterUserCreatedUri: uri('What is told of every new user.'),
  hookAfterUserCreatedSecrets: secrets('after-user-created'),
  hookCustomAccessTokenUri: uri('What makes the claims of every access token.'),
  hookCustomAccessTokenSecrets: secrets('access token'),
  hookMfaVerificationAttemptUri: uri('What judges every try at a second factor.'),
  hookMfaVerificationAttemptSecrets: secrets('second factor'),
  hookPasswordVerificationAttemptUri: uri('What judges every try at a password.'),
  hookPasswordVerificationAttemptSecrets: secrets('password'),
  hookSendSmsUri: uri('What sends text messages instead of a provider.'),
  hookSendSmsSecrets: secrets('text message'),
  hookSendEmailUri: uri('What sends mails instead of the mail server.'),
  hookSendEmailSecrets: secrets('mail'),
  hookTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 30 }), {
    limit: true,
    default: 5,
    description: 'How long a hook at a web address may take, further tries included.',
  }),
  hookFunctionTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 30 }), {
    limit: true,
    default: 2,
    description: 'How long a hook that is a function of the database may run.',
  }),
  maxHookAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 10_485_760 }), {
    limit: true,
    default: 204_800,
    description: 'The longest answer of a hook at a web address.',
  }),
} as const satisfies Declared

export type HookSettings = Values<typeof hookSettings>

/** Where each hook leads, and what its calls are signed with. */
export const hookSettingNames = {
  'before-user-created': { uri: 'hookBeforeUserCreatedUri', secrets: 'hookBeforeUserCreatedSecrets' },
  'after-user-created': { uri: 'hookAfterUserCreatedUri', secrets: 'hookAfterUserCreatedSecrets' },
  'customize-access-token': { uri: 'hookCustomAccessTokenUri', secrets: 'hookCustomAccessTokenSecrets' },
  'password-verification': {
    uri: 'hookPasswordVerificationAttemptUri',
    secrets: 'hookPasswordVerificationAttemptSecrets',
  },
  'mfa-verification': { uri: 'hookMfaVerificationAttemptUri', secrets: 'hookMfaVerificationAttemptSecrets' },
  'send-email': { uri: 'hookSendEmailUri', secrets: 'hookSendEmailSecrets' },
  'send-sms': { uri: 'hookSendSmsUri', secrets: 'hookSendSmsSecrets' },
} as const

export type HookName = keyof typeof hookSettingNames
