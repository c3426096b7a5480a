import type { CodeSettings } from './settings.ts'

/** Numbers of a team's own tests: their code is known, and nothing is sent to them. */
export interface TestCodes {
  /** The code of a number; undefined for one like any other. */
  find(phone: string): string | undefined
}

export function createTestCodes(
  settings: Pick<CodeSettings, 'smsTestOtp' | 'smsTestOtpValidUntil'>,
  now: () => Date,
): TestCodes {
  const codes = new Map(settings.smsTestOtp.map((pair) => pair.split('=', 2) as [string, string]))
  const validUntil = settings.smsTestOtpValidUntil === null ? null : new Date(settings.smsTestOtpValidUntil)
  return { find: (phone) => (validUntil !== null && now() > validUntil ? undefined : codes.get(phone)) }
}
