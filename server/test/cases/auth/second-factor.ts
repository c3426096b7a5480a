import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { Answer, TestAuth } from '../../auth-service.ts'

/** The code of an authenticator app, some seconds from now. */
export const codeOf = (secret: string, seconds = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 })

export const enrol = (auth: TestAuth, token: string, body: object = {}): Promise<Answer> =>
  auth.call('POST', '/factors', { token, body: { factor_type: 'totp', friendly_name: 'app', ...body } })

export const challenge = (auth: TestAuth, token: string, factorId: string, body?: object): Promise<Answer> =>
  auth.call('POST', `/factors/${factorId}/challenge`, body === undefined ? { token } : { token, body })

export const verify = (auth: TestAuth, token: string, factorId: string, body: object): Promise<Answer> =>
  auth.call('POST', `/factors/${factorId}/verify`, { token, body })

/** Challenges a factor and answers with a code. */
export async function prove(auth: TestAuth, token: string, factorId: string, code: string): Promise<Answer> {
  const { body } = await challenge(auth, token, factorId)
  return verify(auth, token, factorId, { challenge_id: body.id, code })
}

/** A verified authenticator app, the code that proved it, and the session that it raised. */
export async function withFactor(
  auth: TestAuth,
  token: string,
  name = 'app',
): Promise<{ readonly id: string; readonly secret: string; readonly code: string; readonly session: Answer['body'] }> {
  const { body } = await enrol(auth, token, { friendly_name: name })
  const code = codeOf(body.totp.secret)
  const proved = await prove(auth, token, body.id, code)
  expect(proved.status).toBe(200)
  return { id: body.id, secret: body.totp.secret, code, session: proved.body }
}
