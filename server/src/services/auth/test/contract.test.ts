import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { attacks } from '../../../../test/cases/auth/attacks.ts'
import { captchaCases } from '../../../../test/cases/auth/captcha.ts'
import type { AuthCase } from '../../../../test/cases/auth/case.ts'
import { everyCallCases } from '../../../../test/cases/auth/every-call.ts'
import { externalAttacks } from '../../../../test/cases/auth/external/attacks.ts'
import { externalCases } from '../../../../test/cases/auth/external/sign-in.ts'
import { factorCases } from '../../../../test/cases/auth/factors.ts'
import { guesses } from '../../../../test/cases/auth/guesses.ts'
import { linkCases } from '../../../../test/cases/auth/links-and-codes.ts'
import { mailSendingCases } from '../../../../test/cases/auth/mails/sending.ts'
import { mailTextCases } from '../../../../test/cases/auth/mails/texts.ts'
import { sessionCases } from '../../../../test/cases/auth/sessions.ts'
import { tokenAttacks } from '../../../../test/cases/auth/token-attacks.ts'
import { tokenCases } from '../../../../test/cases/auth/tokens.ts'
import { userCases } from '../../../../test/cases/auth/users.ts'
import { test } from '../../../../test/harness.ts'

const cases: readonly AuthCase[] = [
  ...tokenCases,
  ...userCases,
  ...linkCases,
  ...everyCallCases,
  ...tokenAttacks,
  ...guesses,
  ...attacks,
  ...mailTextCases,
  ...mailSendingCases,
  ...captchaCases,
  ...sessionCases,
  ...factorCases,
]

test.for(cases.map((row) => [row.row, row.rule, row] as const))('auth §%s %s', async ([, , row], { db }) => {
  await row.run(await startAuth(db, row.settings, row.deps), db)
})

// Cookies are made and read by the client alone (auth §30).
const elsewhere = ['34.46', '34.47']
const rowsIn = (section: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`)

test('every row of the protocol’s edge cases and attacks has a case', () => {
  const all = [...cases, ...externalCases, ...externalAttacks]
  const proven = new Set(all.flatMap(({ row, rule }) => [row, ...(rule.match(/\b3[45]\.\d+/g) ?? [])]))
  expect([...rowsIn(34, 56), ...rowsIn(35, 42)].filter((row) => !proven.has(row) && !elsewhere.includes(row))).toEqual(
    [],
  )
})
