import { expect, test } from 'vitest'
import { readSettings } from '../../../ground/settings/read.ts'
import { authSettings, settleAuthSettings } from '../index.ts'
import type { UserRow } from '../model/user.ts'
import { renderHookEmail } from './hook.ts'
import { codeMailKinds, mailKinds, settingPrefix } from './kinds.ts'
import type { Letter } from './letter.ts'
import { createMailTexts } from './texts.ts'
import { writeMails } from './write.ts'

const settings = { ...settleAuthSettings(readSettings(authSettings, []).values, false), siteUrl: 'https://app.example' }
const texts = createMailTexts({ settings, now: () => new Date(), read: () => Promise.reject(new Error('none')) })
// Only what mails say of a user.
const user = {
  email: 'ann@example.com',
  phone: '4915112345678',
  userMetadata: { name: '<b>Ann</b>' },
} as unknown as UserRow
const side = { to: 'ann@example.com', token: '123456', tokenHash: 'hash-of-ann' }
const newSide = { to: 'new@example.com', token: '654321', tokenHash: 'hash-of-new' }
const happening = { oldEmail: 'old@example.com', oldPhone: '4900000000', provider: 'google', factorType: 'totp' }

const letterOf = (kind: Letter['kind']): Letter => {
  const code = codeMailKinds.find((known) => known === kind)
  if (code === undefined)
    return { kind: kind as Extract<Letter, { to: string }>['kind'], user, to: 'ann@example.com', happening }
  const sides = code === 'email_change' ? ([newSide, side] as const) : ([side] as const)
  const newEmail = code === 'email_change' ? 'new@example.com' : ''
  return { kind: code, user, sides, newEmail, redirectTo: code === 'reauthentication' ? '' : 'https://app.example/in' }
}

test.for(mailKinds)('the built-in %s says what it is about, to whom, and nothing unfinished', async (kind) => {
  const mails = await writeMails(texts, settings, letterOf(kind))
  expect(mails.map(({ to }) => to)).toEqual(kind === 'email_change' ? ['new@example.com', side.to] : [side.to])
  for (const { subject, html, text, kind: about } of mails) {
    expect(about).toBe(kind)
    expect(subject).not.toBe('')
    for (const words of [subject, html, text]) expect(words).not.toMatch(/\{\{|ZgotmplZ|undefined|<no value>/)
    expect(text).not.toMatch(/<\w+|prefers-color-scheme/)
    expect(text).toContain('https://app.example')
  }
})

test.for(codeMailKinds)('the built-in %s carries its code where the inbox looks for it', async (kind) => {
  const [mail] = await writeMails(texts, settings, letterOf(kind))
  expect(mail?.text).toMatch(kind === 'email_change' ? /^Code: 654321$/m : /^Code: 123456$/m)
  expect(/\/verify\?token=/.test(mail?.text ?? '')).toBe(kind !== 'reauthentication')
})

test.for([
  ['email_changed_notification', 'from old@example.com to ann@example.com'],
  ['phone_changed_notification', 'from 4900000000 to 4915112345678'],
  ['identity_linked_notification', 'with google'],
  ['identity_unlinked_notification', 'with google'],
  ['mfa_factor_enrolled_notification', 'kind totp'],
  ['mfa_factor_unenrolled_notification', 'kind totp'],
] as const)('%s says what has happened', async ([kind, words]) => {
  const [mail] = await writeMails(texts, settings, letterOf(kind))
  expect(mail?.text).toContain(words)
})

test('settings are named as in a config.toml', () => {
  expect(mailKinds.map(settingPrefix)).toEqual(
    expect.arrayContaining(['emailTemplateMagicLink', 'emailNotificationMfaFactorUnenrolled']),
  )
  for (const kind of mailKinds) expect(Object.keys(authSettings)).toContain(`${settingPrefix(kind)}ContentPath`)
})

test('a text of one’s own that a user’s data makes endless gives way to the built-in one', async () => {
  const greedy = {
    ...settings,
    emailTemplateRecoveryContent: '{{ range .Data.l }}{{ range $.Data.l }}{{ . }}{{ end }}{{ end }}',
  }
  const own = createMailTexts({
    settings: greedy,
    now: () => new Date(),
    read: () => Promise.reject(new Error('none')),
  })
  const userMetadata = { l: Array.from({ length: 1000 }, () => 'x') }
  const letter = { ...letterOf('recovery'), user: { ...user, userMetadata } } as Letter
  expect((await writeMails(own, greedy, letter))[0]?.text).toMatch(/^Code: 123456$/m)
})

// What a hook is told; with two sides each token pairs with the other one's hash (auth §27).
test.for([
  ['recovery', { email_action_type: 'recovery', token: '123456', token_hash: 'hash-of-ann', token_new: '' }],
  [
    'email_change',
    {
      email_action_type: 'email_change',
      token: '123456',
      token_hash: 'hash-of-new',
      token_new: '654321',
      token_hash_new: 'hash-of-ann',
      redirect_to: 'https://app.example/in',
    },
  ],
  ['reauthentication', { email_action_type: 'reauthentication', token: '123456', redirect_to: '' }],
  ['magic_link', { email_action_type: 'magiclink' }],
  ['confirmation', { email_action_type: 'signup' }],
  ['email_changed_notification', { email_action_type: 'email_changed_notification', old_email: 'old@example.com' }],
  ['identity_linked_notification', { provider: 'google', token: '' }],
] as const)('the hook is told of %s', ([kind, told]) => {
  expect(renderHookEmail(letterOf(kind), 'https://api.example/auth/v1')).toMatchObject({
    ...told,
    site_url: 'https://api.example/auth/v1',
  })
})

// Addresses of texts are refused in the settings, and again when they are called (auth §35.33).
test.for([
  ['./supabase/templates/invite.html', true],
  ['/etc/clew/invite.html', true],
  ['https://texts.example/invite.html', true],
  ['http://127.0.0.1:8080/invite.html', true],
  ['http://localhost/invite.html', true],
  ['http://texts.example/invite.html', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['https://10.0.0.1/invite.html', false],
  ['https://[fd00::1]/invite.html', false],
  ['https://127.1/invite.html', true],
  ['https://2130706433/invite.html', true],
  ['https://user:password@texts.example/', false],
] as const)('the text at %s may be named: %s', ([place, allowed]) => {
  const { problems } = readSettings(authSettings, [
    { name: (name) => name, values: { emailTemplateInviteContentPath: place } },
  ])
  expect(problems).toHaveLength(allowed ? 0 : 1)
})
