import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { isMissing, type Kept, type Kind, newEmail, newName } from './root-key-kept.ts'
import { password, type RootKeyWorld } from './root-key-world.ts'

/** Adds an authenticator app to a new operator's account. @returns how they sign in with a code */
async function addApp({ join, ask, asSuperuser }: RootKeyWorld) {
  const email = newEmail()
  const cookie = await join(email)
  const { secret } = (await ask(cookie, 'POST', '/access/totp')).body
  const codeOf = () => new TOTP({ secret }).generate()
  const { recoveryCodes } = (await ask(cookie, 'POST', '/access/totp/confirm', { code: codeOf() })).body
  const signIn = async (code: string) => {
    const { body } = await ask('', 'POST', '/session', { email, password })
    expect(body).toHaveProperty('secondStep.ticket')
    const { ticket } = body.secondStep
    return ask('', 'POST', '/session/factor', { ticket, code })
  }
  const signInByApp = async () => {
    // A code is good once, and another takes half a minute.
    await asSuperuser('update clew_operators.operator_totp set last_step = null')
    return signIn(codeOf())
  }
  return { email, signIn, signInByApp, recoveryCodes: recoveryCodes as string[] }
}

export async function keepApp(world: RootKeyWorld): Promise<Kept> {
  const { email, signInByApp } = await addApp(world)
  return {
    works: async () => expect((await signInByApp()).status).toBe(200),
    sealed: {
      ...{ table: 'clew_operators.operator_totp', columns: ['sealed_secret'], value: email },
      where: 'operator_id = (select id from clew_operators.operators where email = $1)',
      isLost: async () => expect((await signInByApp()).body).toMatchObject(isMissing),
    },
  }
}

async function keepRecoveryCodes(world: RootKeyWorld): Promise<Kept> {
  const { signIn, recoveryCodes } = await addApp(world)
  return {
    works: async () => expect((await signIn(recoveryCodes.pop() ?? '')).status).toBe(200),
    isRefused: async () =>
      expect((await signIn(recoveryCodes.pop() ?? '')).body).toMatchObject({
        error: { code: 'CLEW_OPERATORS_WRONG_PROOF' },
      }),
  }
}

async function keepPassword({ join, ask }: RootKeyWorld): Promise<Kept> {
  const email = newEmail()
  await join(email)
  return { works: async () => expect((await ask('', 'POST', '/session', { email, password })).status).toBe(200) }
}

async function keepSession({ join, ask }: RootKeyWorld): Promise<Kept> {
  const cookie = await join(newEmail())
  return { works: async () => expect((await ask(cookie, 'GET', '/access')).status).toBe(200) }
}

async function keepAccessToken({ asOwner, consoleUrl }: RootKeyWorld): Promise<Kept> {
  const { token } = (await asOwner('POST', '/access/tokens', { name: newName(), days: 1 })).body
  const headers = { authorization: `Bearer ${token}` }
  return {
    works: async () => expect((await fetch(`${consoleUrl}/api/function-secrets`, { headers })).status).toBe(200),
  }
}

async function keepInvitation({ asOwner, ask }: RootKeyWorld): Promise<Kept> {
  const email = newEmail()
  const { url } = (await asOwner('POST', '/team/invitations', { email, role: 'developer' })).body
  const look = async () => (await ask('', 'POST', '/invitation', { token: url.split('#')[1] })).body
  return {
    works: async () => expect(await look()).toMatchObject({ email }),
    isRefused: async () => expect(await look()).toMatchObject({ error: { code: 'CLEW_OPERATORS_INVITATION_OVER' } }),
  }
}

/** What the team keeps under root keys, besides authenticator apps. */
export const operatorKinds: readonly Kind[] = [
  { name: 'recovery codes of operators', keep: keepRecoveryCodes },
  { name: 'passwords of operators', keep: keepPassword },
  { name: 'sessions of operators', keep: keepSession },
  { name: 'access tokens', keep: keepAccessToken },
  { name: 'invitations', keep: keepInvitation },
]
