import { type Declared, integer, optionalTextOf } from '../../../ground/settings/setting.ts'
import { areHookSecrets, isHookUri } from './target.ts'

const uri = (about: string) =>
  optionalTextOf({
    default: null,
    of: { allowed: 'pg-functions://postgres/<schema>/<function> or https://…', fits: isHookUri },
    about,
  })

const secrets = (hook: string) =>
  optionalTextOf({
    default: null,
    secret: true,
    of: { allowed: 'v1,whsec_<base64>, several joined by |', fits: areHookSecrets },
    about: `What calls of the ${hook} hook are signed with, when it is a web address.`,
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
  hookTimeoutSeconds: integer({
    default: 5,
    min: 1,
    max: 30,
    about: 'How long a hook at a web address may take, further tries included.',
  }),
  hookFunctionTimeoutSeconds: integer({
    default: 2,
    min: 1,
    max: 30,
    about: 'How long a hook that is a function of the database may run.',
  }),
  hookMaxAnswerBytes: integer({
    default: 204_800,
    min: 1024,
    max: 10_485_760,
    about: 'The longest answer of a hook at a web address.',
  }),
} as const satisfies Declared
