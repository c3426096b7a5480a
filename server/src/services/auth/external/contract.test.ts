import { expect } from 'vitest'
import { externalAttacks, foreignRedirects } from '../../../../test/cases/auth/external/attacks.ts'
import { ann } from '../../../../test/cases/auth/external/case.ts'
import { externalCases } from '../../../../test/cases/auth/external/sign-in.ts'
import { test as base } from '../../../../test/harness.ts'
import { type ProviderWorld, providerSite, startProviderWorld } from '../../../../test/provider-world.ts'
import type { AuthSettings } from '../index.ts'

const test = base.extend('start', async ({ db }, { onCleanup }) => {
  const worlds: ProviderWorld[] = []
  onCleanup(() => {
    for (const { outside } of worlds) outside.close()
  })
  return async (settings?: Partial<AuthSettings>) => {
    const world = await startProviderWorld(db, settings)
    worlds.push(world)
    return world
  }
})

test.for([...externalCases, ...externalAttacks].map((row) => [row.row, row.rule, row] as const))(
  'auth §%s %s',
  async ([, , row], { start }) => {
    await row.run(await start(row.settings))
  },
)

test('auth §35.15 no spelling of a foreign address gets a token', async ({ start }) => {
  const world = await start()
  for (const redirect of foreignRedirects) {
    const location = await world.signIn(ann, { redirect_to: redirect })
    expect([redirect, location.origin, location.pathname]).toEqual([redirect, providerSite, '/'])
  }
})
