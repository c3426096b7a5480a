import { createOutbound } from '../../../engines/outbound/index.ts'
import type { Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readObject, readText } from '../parse/body.ts'
import type { CaptchaDeps } from './deps.ts'
import type { CaptchaSettings } from './settings.ts'

/**
 * Lets a call pass that carries a solved captcha, or that needs none.
 *
 * @throws captcha_failed when there is none or the checker rejects it; unexpected_failure when the checker does not answer
 */
export type CheckCaptcha = (call: Pick<Call, 'context' | 'body'>, grantType?: string) => Promise<void>

const checkers = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const

/** Grants that continue an earlier sign-in, or prove themselves (auth §7). */
const freeGrants = ['pkce', 'refresh_token', 'id_token']

/**
 * The check (auth §26). Administrators need none.
 *
 * @throws TypeError when captchas are on and there is no secret to check them with
 */
export function createCaptchaCheck(deps: CaptchaDeps): CheckCaptcha {
  if (!deps.settings.captchaEnabled) return async () => undefined
  const ask = createChecker(deps.settings)
  return async ({ context, body }, grantType = '') => {
    if (freeGrants.includes(grantType) || (await isAdmin(deps, context))) return
    const token = readText(readObject(body, 'gotrue_meta_security') ?? {}, 'captcha_token').trim()
    if (token === '') throw captchaError('no captcha_token found')
    const { success, codes } = await ask(token, context.remoteAddress)
    if (!success) throw captchaError(codes.join(', '))
  }
}

const captchaError = (reason: string) =>
  authError('captcha_failed', { message: `captcha protection: request disallowed (${reason})` })

async function isAdmin(deps: CaptchaDeps, context: RequestContext): Promise<boolean> {
  try {
    await deps.checkAdmin(context)
    return true
  } catch {
    // Other callers need a captcha; an error of their token is for the call itself.
    return false
  }
}

interface Verdict {
  readonly success: boolean
  readonly codes: readonly string[]
}

/**
 * Asks the checker; both take one form.
 *
 * @see https://docs.hcaptcha.com/#verify-the-user-response-server-side
 * @see https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
function createChecker(settings: CaptchaSettings): (token: string, address: string) => Promise<Verdict> {
  const { captchaProvider, captchaUrl, captchaTimeoutSeconds, maxCaptchaAnswerBytes: maxBytes } = settings
  if (settings.captchaSecret === null) throw new TypeError('Captchas are on, but auth captcha_secret is not set.')
  const call = createOutbound({ reach: 'anywhere', timeoutMs: captchaTimeoutSeconds * 1000, maxBytes })
  return async (token, address) => {
    const secret = settings.captchaSecret?.trim() ?? ''
    try {
      const answer = await call(captchaUrl ?? checkers[captchaProvider], {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret, response: token, remoteip: address }).toString(),
      })
      return parseVerdict(await answer.json())
    } catch (cause) {
      throw authError('unexpected_failure', { message: 'captcha verification process failed', cause })
    }
  }
}

function parseVerdict(answer: unknown): Verdict {
  if (typeof answer !== 'object' || answer === null) throw new Error('The captcha checker answered no object.')
  const { success, 'error-codes': codes } = answer as Readonly<Record<string, unknown>>
  const texts = Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : []
  return { success: success === true, codes: texts }
}
