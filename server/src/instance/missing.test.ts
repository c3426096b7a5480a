import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readAllSettings } from '../settings/index.ts'
import { missingInProduction } from './missing.ts'

/** What docs/guide/deploy-server.md has its readers set. */
const ofGuide = {
  CLEW_PRODUCTION: 'true',
  CLEW_PUBLIC_URL: 'https://api.example.com',
  CLEW_CONSOLE_URL: 'https://console.example.com',
  CLEW_TRUSTED_PROXIES: '127.0.0.1,::1',
  CLEW_MAIL_SMTP_URL: 'smtps://user:password@smtp.example.com',
  CLEW_MAIL_ADMIN_EMAIL: 'hello@example.com',
  CLEW_BACKUP_FOLDER: '/var/backups/clew',
  CLEW_BACKUP_PASSPHRASE: 'a long passphrase',
}
const missing = (environment: Readonly<Record<string, string>>) =>
  missingInProduction(readAllSettings({ flags: {}, environment, workingDirectory: tmpdir() }).settings)

test('an instance as the guide sets it up, behind a proxy on its machine, lacks nothing', () => {
  expect(missing(ofGuide)).toEqual([])
})

test('without a trusted proxy the proxy is missing, or its name', () => {
  const { CLEW_TRUSTED_PROXIES: _, ...others } = ofGuide
  expect(missing(others)).toEqual([expect.stringContaining('put a proxy'), expect.stringContaining('trusted_proxies')])
})
