import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSectionFile, withSetting } from './settings-file.ts'

const file = `# The shop's settings.
port = 54321   # of the application

[auth]
site_url = "https://shop.test" # where mails lead
# Ours, and previews.
additional_redirect_urls = [
  "https://shop.test/**", # the shop
  "https://*.preview.test/**",
]

[auth.email.template.invite]
subject = "Come in"

[rest]
max_rows = 500
`

test('a value is replaced, and comments, order and all else stay', () => {
  expect(withSetting(file, 'auth', 'siteUrl', 'https://new.test')).toBe(
    file.replace('"https://shop.test" #', '"https://new.test" #'),
  )
  expect(withSetting(file, 'auth', 'emailTemplateInviteSubject', 'Welcome')).toBe(file.replace('Come in', 'Welcome'))
  const lists = withSetting(file, 'auth', 'additionalRedirectUrls', ['https://a.test/**'])
  for (const kept of [
    '# The shop’s settings.'.replace('’', "'"),
    '# of the application',
    '# where mails lead',
    'max_rows = 500',
  ])
    expect(lists).toContain(kept)
})

test('a setting that the file has not is added to its section, and taken away again', () => {
  const more = withSetting(file, 'auth', 'jwtExpirySeconds', 600)
  expect(more).toContain('jwt_expiry_seconds = 600')
  expect(more.indexOf('jwt_expiry_seconds')).toBeLessThan(more.indexOf('[auth.email'))
  expect(withSetting(more, 'auth', 'jwtExpirySeconds', undefined)).not.toContain('jwt_expiry_seconds')
  expect(withSetting('', 'auth', 'enableSignup', false)).toBe('[auth]\nenable_signup = false\n')
})

test('a file is written whole, and what it says since the start is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-toml-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'clew.toml')
  await writeFile(path, file)
  const section = openSectionFile(folder, 'auth')
  expect(await section.changed()).toEqual({})
  await Promise.all([section.write('siteUrl', 'https://new.test'), section.write('jwtExpirySeconds', 600)])
  expect(await section.changed()).toEqual({ siteUrl: 'https://new.test', jwtExpirySeconds: 600 })
  await section.write('jwtExpirySeconds', undefined)
  await section.write('siteUrl', 'https://shop.test')
  expect(await section.changed()).toEqual({})
  await writeFile(path, 'no [ toml')
  await expect(section.write('siteUrl', 'https://x.test')).rejects.toThrow()
  expect(await readFile(path, 'utf8')).toBe('no [ toml')
})
