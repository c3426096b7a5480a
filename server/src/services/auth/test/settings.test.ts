import { expect, test } from 'vitest'
import { readSettings } from '../../../ground/settings/read.ts'
import { authSettings, settleAuthSettings } from '../settings.ts'

test.for([
  ['nothing, locally', null, false, false],
  ['nothing, in production', null, true, true],
  ['no confirmations, in production', false, true, false],
  ['confirmations, locally', true, false, true],
] as const)('where a project says %s', ([, confirmation, production, expected]) => {
  const given = readSettings(authSettings, []).values
  const settled = settleAuthSettings(
    { ...given, emailEnableConfirmations: confirmation, smsEnableConfirmations: confirmation },
    production,
  )
  expect([settled.emailEnableConfirmations, settled.smsEnableConfirmations]).toEqual([expected, expected])
})
