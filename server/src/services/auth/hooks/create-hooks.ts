import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { isObject } from '../../../ground/json/object.ts'
import { madeOf } from '../../../ground/settings/live.ts'
import { authError } from '../model/errors.ts'
import type { Database, RequestSql } from '../store/database.ts'
import { parseClaims } from './claims.ts'
import { hookError } from './errors.ts'
import type { HookDecision, HookPlace, Hooks } from './hooks.ts'
import { createHttpHook } from './http.ts'
import { callFunctionHook } from './pg-function.ts'
import { type HookName, type HookSettings, hookSettingNames } from './settings.ts'
import { type HookTarget, parseHookTarget } from './target.ts'

export interface HooksDeps {
  readonly settings: HookSettings
  readonly database: Database
  readonly now: () => Date
}

const backoffMs = 2000

/**
 * Reads the hooks of the settings.
 *
 * @throws TypeError when a hook that calls a web address has no secret
 */
export function createHooks({ settings, database, now }: HooksDeps): Hooks {
  const caller = (name: HookName) => {
    const { uri, secrets } = hookSettingNames[name]
    const address = settings[uri]
    return address === null
      ? null
      : createCaller({ settings, database, now }, name, () => parseHookTarget(name, address, settings[secrets]))
  }
  const before = caller('before-user-created')
  const after = caller('after-user-created')
  const token = caller('customize-access-token')
  const password = caller('password-verification')
  const factor = caller('mfa-verification')
  const email = caller('send-email')
  const sms = caller('send-sms')

  return {
    async beforeUserCreated(user, place) {
      await before?.({ user }, place)
    },
    async afterUserCreated(user, context) {
      await after?.({ user }, { sql: null, context })
    },
    async customizeAccessToken({ userId, claims, authenticationMethod }, place) {
      if (token === null) return claims
      const input = { user_id: userId, claims, authentication_method: authenticationMethod }
      return parseClaims((await token(input, place)).claims)
    },
    async judgePassword({ userId, valid }, context) {
      if (password === null) return { kind: 'continue' }
      const answer = await password({ user_id: userId, valid }, { sql: null, context })
      return decisionOf(answer, 'Further password verification attempts will be rejected.')
    },
    async judgeFactor({ userId, factorId, factorType, valid }, context) {
      if (factor === null) return { kind: 'continue' }
      const attempt = { user_id: userId, factor_id: factorId, factor_type: factorType, valid }
      const answer = await factor(attempt, { sql: null, context })
      return decisionOf(answer, 'Further MFA verification attempts will be rejected.')
    },
    sendEmail:
      email === null
        ? null
        : async (user, data, place) => {
            await email({ user, email_data: data }, place)
          },
    sendSms:
      sms === null
        ? null
        : async (user, data, place) => {
            await sms({ user, sms: data }, place)
          },
  }
}

type Answer = Readonly<Record<string, unknown>>

function createCaller(
  { settings, database, now }: HooksDeps,
  name: HookName,
  target: () => HookTarget,
): (input: Answer, place: HookPlace) => Promise<Answer> {
  const { secrets } = hookSettingNames[name]
  const asker = madeOf(
    () => settings[secrets],
    () => askerOf(target(), { settings, database, now }),
  )
  // What is wrong with the first one is told at the start.
  asker()
  return async (input, { sql, context }) => {
    const id = randomUUID()
    const metadata = { uuid: id, time: now().toISOString(), name, ip_address: context.remoteAddress }
    const body = JSON.stringify({ metadata, ...input })
    return parseAnswer(await asker()(id, body, { sql, context }))
  }
}

function askerOf(
  target: HookTarget,
  { settings, database, now }: HooksDeps,
): (id: string, body: string, place: HookPlace) => Promise<string | null> {
  if (target.kind === 'http') {
    const timeoutMs = settings.hookTimeoutSeconds * 1000
    return createHttpHook(target, { now, timeoutMs, backoffMs, maxAnswerBytes: settings.maxHookAnswerBytes })
  }
  const timeoutMs = settings.hookFunctionTimeoutSeconds * 1000
  return (_id, body, { sql, context }) => {
    const run = (on: RequestSql) => callFunctionHook(on, target, body, timeoutMs)
    return sql === null ? database.change(context, run) : run(sql)
  }
}

function parseAnswer(text: string | null): Answer {
  if (text === null || text.trim() === '') return {}
  const value = parseJson(text)
  if (!isObject(value)) return {}
  const { error } = value
  if (isObject(error) && typeof error.message === 'string' && error.message !== '')
    throw toServiceError(error, error.message)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw authError('unexpected_failure', { message: 'Error unmarshaling JSON output.', cause })
  }
}

/** The error of a hook's answer; a status that is no error's is a mistake of the hook's. */
function toServiceError(error: Answer, message: string): ServiceError {
  const { http_code: wanted } = error
  const status = typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 400 && wanted < 600 ? wanted : 500
  const { code, hint, details, wireHint, headers } =
    status === 500 ? authError('unexpected_failure') : hookError('unknown')
  return new ServiceError({ code, status, message, hint, details, wireHint, headers, cause: undefined })
}

function decisionOf(answer: Answer, usualMessage: string): HookDecision {
  if (answer.decision !== 'reject') return { kind: 'continue' }
  const message = typeof answer.message === 'string' && answer.message !== '' ? answer.message : usualMessage
  return { kind: 'reject', message, logOut: answer.should_logout_user === true }
}
