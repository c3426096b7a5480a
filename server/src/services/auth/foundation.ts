import type { Mailer } from '../../engines/mail/index.ts'
import type { Outbound, Resolve } from '../../engines/outbound/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { createCodeHashes } from './codes/one-time-tokens.ts'
import { createTestCodes } from './codes/test-codes.ts'
import { createHooks } from './hooks/create-hooks.ts'
import type { Hooks } from './hooks/hooks.ts'
import { createRedirects } from './http/redirect.ts'
import { createBruteForceLimit } from './limits/brute-force-limit.ts'
import { type Allowance, createQuota, parseAllowance } from './limits/quota.ts'
import { createResendCooldown } from './limits/resend-cooldown.ts'
import { createTimingEqualizer } from './limits/timing-equalizer.ts'
import { createOutbox } from './mails/create-outbox.ts'
import { createHookDelivery } from './mails/hook.ts'
import { createTextReader } from './mails/read-text.ts'
import { createMailTexts, type MailTexts } from './mails/texts.ts'
import { createDelivery } from './mails/write.ts'
import type { AuthLog } from './model/log.ts'
import type { CheckSmsCode, SendSms } from './model/sms.ts'
import { sendNoSms } from './model/sms.ts'
import { createPasswords, defaultCost } from './passwords/create-passwords.ts'
import { createPasswordPolicy } from './passwords/policy.ts'
import { createIsPwned } from './passwords/pwned.ts'
import { createExternalProviders } from './providers/create-providers.ts'
import type { AuthSettings } from './settings.ts'
import type { SettingsFile } from './setup/editing.ts'
import { createAudit } from './store/audit.ts'
import { findCustomProvider } from './store/custom-providers.ts'
import { createDatabase, type Database } from './store/database.ts'
import { createRelyingParty } from './webauthn/create-relying-party.ts'

/** The dependencies of the service. */
export interface AuthDeps {
  readonly sql: Sql
  readonly mail: Mailer
  readonly keys: KeySet
  /**
   * Key the hashes of codes, so that a reader of the table cannot guess them: as they are now, 32 bytes each that outlive a
   * restart, the one that counts first.
   */
  readonly codeKeys: () => readonly Buffer[]
  readonly now: () => Date
  /** A new UUID. */
  readonly newId: () => string
  readonly settings: AuthSettings
  /** Where each setting was said, by its declared name; defaults are not among them. */
  readonly places?: Readonly<Record<string, string>>
  /** Where the console writes settings; absent where it writes none. */
  readonly settingsFile?: SettingsFile | null
  /** bcrypt's cost of new hashes; 10 by default (auth §25). */
  readonly passwordHashCost?: number
  /** Where files with the texts of mails are looked for; the working directory by default. */
  readonly textFolder?: string
  /** Delivers text messages; absent where no provider is configured: sending one then fails. */
  readonly sendSms?: SendSms
  /** Only where the provider makes and checks codes itself; otherwise they are made and checked here. */
  readonly checkSmsCode?: CheckSmsCode
  /** Resolves names for calls to custom providers; by default the operating system does. */
  readonly resolve?: Resolve
  /** Reads SAML metadata from its address; by default public addresses only. */
  readonly fetchMetadata?: Outbound
  /** Joins the limits of all processes; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  /** Receives failures of work that follows an answered request. */
  readonly log?: AuthLog
}

export type Foundation = ReturnType<typeof createFoundation>

/** The parts that several features share, each made once. */
export function createFoundation(deps: AuthDeps) {
  const { settings, keys, now, newId } = deps
  const database = createDatabase(deps.sql, deps.log ?? { warn: () => undefined })
  const hooks = createHooks({ settings, database, now })
  const texts = createTexts(deps)
  return {
    keys,
    now,
    newId,
    settings,
    database,
    hooks,
    audit: createAudit({ newId, now }),
    texts,
    outbox: createOutbox({ database, deliver: createDeliver(deps, hooks, texts), settings }),
    passwords: createPasswords({
      concurrency: settings.passwordHashConcurrency,
      queue: settings.passwordHashQueue,
      cost: deps.passwordHashCost ?? defaultCost,
    }),
    passwordPolicy: createPasswordPolicy(
      settings,
      settings.passwordHibpEnabled
        ? createIsPwned({
            url: settings.passwordHibpUrl,
            whenUnknown: settings.passwordHibpFailClosed,
            timeoutMs: settings.passwordHibpTimeoutSeconds * 1000,
            maxBytes: settings.maxPasswordHibpAnswerBytes,
          })
        : null,
    ),
    redirects: createRedirects(settings.siteUrl, settings.additionalRedirectUrls),
    testCodes: createTestCodes(settings, now),
    ...createCodeHashes(deps.codeKeys),
    sendSms: deps.sendSms ?? sendNoSms,
    checkSmsCode: deps.checkSmsCode ?? null,
    ...(deps.resolve === undefined ? {} : { resolve: deps.resolve }),
    ...createLimits(settings, now, deps.topic ?? noOthers),
    providers: createProviders(deps, database),
    relyingParty: createRelyingParty(settings),
  }
}

const createLimits = (settings: AuthSettings, now: () => Date, topic: OpenTopic) => ({
  timing: createTimingEqualizer(),
  bruteForceLimit: createBruteForceLimit(settings, now, topic),
  mailCooldown: createResendCooldown(settings.emailMaxFrequencySeconds, 'over_email_send_rate_limit', now, topic),
  smsCooldown: createResendCooldown(settings.smsMaxFrequencySeconds, 'over_sms_send_rate_limit', now, topic),
  quotas: {
    mail: createQuota(allowanceOf(settings, 'rateLimitEmailSent'), 'over_email_send_rate_limit', now, topic),
    sms: createQuota(allowanceOf(settings, 'rateLimitSmsSent'), 'over_sms_send_rate_limit', now, topic),
  },
})

/** Without a setting, production allows what the protocol's own server does, and local mode any number. */
function allowanceOf(settings: AuthSettings, name: 'rateLimitEmailSent' | 'rateLimitSmsSent'): Allowance | null {
  const text = settings[name] ?? (settings.rateLimitByAddress ? '30' : null)
  return text === null ? null : (parseAllowance(text) ?? null)
}

const createDeliver = ({ mail, settings }: AuthDeps, { sendEmail }: Hooks, texts: MailTexts) =>
  sendEmail === null ? createDelivery(mail, texts, settings) : createHookDelivery(sendEmail, settings)

function createTexts({ settings, now, textFolder }: AuthDeps): MailTexts {
  const read = createTextReader(textFolder ?? '.', {
    timeoutMs: settings.emailTemplateTimeoutSeconds * 1000,
    maxBytes: settings.maxEmailTemplateBytes,
  })
  return createMailTexts({ settings, now, read })
}

const createProviders = ({ settings, resolve, now }: AuthDeps, database: Database) =>
  createExternalProviders({
    settings,
    callbackUrl: `${settings.externalUrl}/callback`,
    findCustom: (identifier, context) => findCustomProvider(database.for(context), identifier),
    resolve: resolve ?? null,
    now,
  })
