import { expect, test } from 'vitest'
import { withValues } from '../ground/settings/live.ts'
import { changedSettings, createLiveSettings, nameOfSetting, readAllSettings } from './index.ts'

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  readAllSettings({ flags: {}, environment, workingDirectory: '/' }).settings

test('a secret that is read of live settings is that of now, and all else that of the start', () => {
  const { settings, take } = createLiveSettings(settingsOf({ CLEW_MAIL_SMTP_PASS: 'old', CLEW_MAIL_SMTP_HOST: 'mail' }))
  const { mail } = settings
  const variant = withValues(mail, { smtpPort: 2525 })
  const copy = { ...mail }
  take({ section: 'mail', setting: 'smtpPass' }, 'new')
  expect(mail).toMatchObject({ smtpPass: 'new', smtpHost: 'mail', smtpPort: 587 })
  expect(variant).toMatchObject({ smtpPass: 'new', smtpHost: 'mail', smtpPort: 2525 })
  expect(copy.smtpPass).toBe('old')
})

test('what two readings have otherwise is told by name, secrets apart from the rest', () => {
  const before = settingsOf({ CLEW_MAIL_SMTP_PASS: 'old', CLEW_PORT: '1' })
  const after = settingsOf({ CLEW_MAIL_SMTP_PASS: 'new', CLEW_PORT: '2', CLEW_METRICS_TOKEN: 't' })
  const { secrets, others } = changedSettings(before, after)
  expect(secrets.map(nameOfSetting)).toEqual(['metrics_token', '[mail] smtp_pass'])
  expect(others.map(nameOfSetting)).toEqual(['port'])
})
