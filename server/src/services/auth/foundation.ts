import { createCodeHash } from './codes/one-time-tokens.ts'
import { createTestCodes } from './codes/test-codes.ts'
import type { AuthDeps } from './deps.ts'
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
import { createMailTexts } from './mails/texts.ts'
import { createDelivery } from './mails/write.ts'
import { sendNoSms } from './model/sms.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createPasswordPolicy } from './passwords/policy.ts'
import { createIsPwned } from './passwords/pwned.ts'
import { createExternalProviders } from './providers/create-providers.ts'
import type { AuthSettings } from './settings.ts'
import { createAudit } from './store/audit.ts'
import { findCustomProvider } from './store/custom-providers.ts'
import { createDatabase, type Database } from './store/database.ts'
import { createRelyingParty } from './webauthn/relying-party.ts'

export type Foundation = ReturnType<typeof createFoundation>

/** Makes what several features share, once. */
export function createFoundation(deps: AuthDeps) {
  const { settings, keys, now, newId } = deps
  const database = createDatabase(deps.sql, deps.log ?? { warn: () => undefined })
  const hooks = createHooks({ settings, database, now })
  return {
    keys,
    now,
    newId,
    settings,
    database,
    hooks,
    audit: createAudit({ newId, now }),
    outbox: createOutbox({ database, deliver: createDeliver(deps, hooks), settings }),
    passwords: createPasswords({ concurrency: settings.passwordHashConcurrency, queue: settings.passwordHashQueue }),
    passwordPolicy: createPasswordPolicy(
      settings,
      settings.passwordHibpEnabled
        ? createIsPwned({ url: settings.passwordHibpUrl, whenUnknown: settings.passwordHibpFailClosed })
        : null,
    ),
    redirects: createRedirects(settings.siteUrl, settings.additionalRedirectUrls),
    testCodes: createTestCodes(settings, now),
    hashCode: createCodeHash(deps.codeKey),
    sendSms: deps.sendSms ?? sendNoSms,
    checkSmsCode: deps.checkSmsCode ?? null,
    ...(deps.resolve === undefined ? {} : { resolve: deps.resolve }),
    ...createLimits(settings, now),
    providers: createProviders(deps, database),
    relyingParty: createRelyingParty(settings),
  }
}

const createLimits = (settings: AuthSettings, now: () => Date) => ({
  timing: createTimingEqualizer(),
  bruteForceLimit: createBruteForceLimit(settings, now),
  mailCooldown: createResendCooldown(settings.emailMaxFrequencySeconds, 'over_email_send_rate_limit', now),
  smsCooldown: createResendCooldown(settings.smsMaxFrequencySeconds, 'over_sms_send_rate_limit', now),
  quotas: {
    mail: createQuota(allowanceOf(settings, 'rateLimitEmailSent'), 'over_email_send_rate_limit', now),
    sms: createQuota(allowanceOf(settings, 'rateLimitSmsSent'), 'over_sms_send_rate_limit', now),
  },
})

/** Without a setting, production allows what the protocol's own server does, and local mode any number. */
function allowanceOf(settings: AuthSettings, name: 'rateLimitEmailSent' | 'rateLimitSmsSent'): Allowance | null {
  const given = settings[name] ?? (settings.rateLimitByAddress ? '30' : null)
  return given === null ? null : (parseAllowance(given) ?? null)
}

function createDeliver({ mail, settings, now, textFolder }: AuthDeps, { sendEmail }: Hooks) {
  if (sendEmail !== null) return createHookDelivery(sendEmail, settings)
  return createDelivery(mail, createMailTexts({ settings, now, read: createTextReader(textFolder ?? '.') }), settings)
}

const createProviders = ({ settings, resolve, now }: AuthDeps, database: Database) =>
  createExternalProviders({
    settings,
    callbackUrl: `${settings.externalUrl}/callback`,
    findCustom: (identifier, context) => findCustomProvider(database.for(context), identifier),
    resolve: resolve ?? null,
    now,
  })
