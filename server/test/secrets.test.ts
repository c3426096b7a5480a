import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SecretUse, secretUses } from './secret-uses.ts'
import { newPerson, openSecretsWorld, type SecretsWorld } from './secrets-world.ts'

let world: SecretsWorld
beforeAll(async () => {
  world = await openSecretsWorld()
}, 120_000)
afterAll(() => world?.close(), 60_000)

const useOf = (variable: string): SecretUse =>
  secretUses.find((one) => one.variable === variable) ?? expect.fail(`no use of ${variable}`)

/** Replaces a secret while a client calls: no call fails, and afterwards it is the other one that is used. */
async function rotate({ variable, use, after }: SecretUse, next = world.filesOf('new')[variable] ?? ''): Promise<void> {
  expect(await use(world)).toContain('old')
  const seen: string[] = []
  let isRotating = true
  const client = (async () => {
    while (isRotating) seen.push(await use(world))
  })()
  await world.write(variable, next)
  await world.reload()
  isRotating = false
  await client
  // Every call was answered, by the one or the other.
  for (const used of seen) expect(used).toMatch(/old|new/)
  const used = await use(world)
  expect(used).toContain(after ?? 'new')
  if (after === undefined) expect(used).not.toContain('old')
  const { rows } = await world.superuser.query(
    `select 1 from clew_operators.actions where action = 'secret.reload' and operator_email = 'a test' and outcome = 'succeeded'`,
  )
  expect(rows.length).toBeGreaterThan(0)
}

test.for(secretUses)('$variable is another one while calls go on', { timeout: 60_000 }, (each) => rotate(each))

test('what cannot be used is refused, said, and the secret of before goes on', async () => {
  const variable = 'CLEW_AUTH_CAPTCHA_SECRET'
  const captcha = useOf(variable)
  const before = await captcha.use(world)
  await world.write(variable, '')
  await world.reload()
  await world.write('CLEW_MAIL_SMTP_PASS', 'newer-password')
  await world.reload()
  expect(await captcha.use(world)).toBe(before)
  await world.post('/auth/v1/otp', { email: newPerson().email })
  expect(world.passwordsSeen.at(-1)).toBe('newer-password')
})

test('the address of a mail server takes the place of the settings one by one, and is another one while mails go on', async () => {
  const variable = 'CLEW_MAIL_SMTP_URL'
  const smtp = useOf('CLEW_MAIL_SMTP_PASS')
  await world.write(variable, world.smtpUrlOf('old'))
  await world.reload()
  await rotate({ variable, use: smtp.use }, world.smtpUrlOf('new'))
  expect(await smtp.use(world)).toBe('new-in-the-address')
})
