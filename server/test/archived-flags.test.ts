import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { flagBody, secret, test, token } from './flags-world.ts'

const all = { groups: [{}] }

test('an archived flag is in no answer, neither of the server nor of definitions, and comes back off', async ({
  product: { console, log, ask, store, url },
}) => {
  const { id } = await store('new-checkout', all, { description: 'One page' })
  await store('kept', all)
  const definitions = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${url}/flags/definitions?token=${token}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const { flags } = (await answer.json()) as { flags: readonly { key: string }[] }
    return flags.map(({ key }) => key)
  }
  expect(await definitions()).toEqual(['kept', 'new-checkout'])

  expect((await console('DELETE', '/flags/new-checkout')).status).toBe(204)
  expect(Object.keys((await ask({})).flags)).toEqual(['kept'])
  expect((await ask({ flag_keys: ['new-checkout'] })).flags).toEqual({})
  expect(await definitions()).toEqual(['kept'])
  const client = new PostHog(token, { host: url, personalApiKey: secret, featureFlagsPollingInterval: 3_600_000 })
  expect(await client.isFeatureEnabled('kept', 'ada')).toBe(true)
  expect(await client.isFeatureEnabled('new-checkout', 'ada')).toBeFalsy()
  await client.shutdown()

  const archived = (await console('GET', '/archived-flags')).body
  expect(archived).toMatchObject({ flags: [{ id, key: 'new-checkout', description: 'One page' }], hasMore: false })
  expect((await console('GET', '/archived-flags?text=ONE%20PAGE')).body.flags).toHaveLength(1)
  expect((await console('GET', '/archived-flags?text=another')).body.flags).toEqual([])

  const restored = (await console('POST', `/archived-flags/${id}/restore`)).body
  expect(restored).toMatchObject({ id, key: 'new-checkout', active: false, filters: all, version: 3 })
  expect(await definitions()).toEqual(['kept', 'new-checkout'])
  expect(Object.keys((await ask({})).flags)).toEqual(['kept'])
  const { version } = restored
  expect((await console('PUT', '/flags/new-checkout', { ...flagBody(all), version })).status).toBe(200)
  expect((await ask({})).flags['new-checkout']?.enabled).toBe(true)
  expect((await console('GET', '/flags/new-checkout/changes')).body.changes).toMatchObject([
    { version: 4, flag: { active: true, deleted_at: null } },
    { version: 3, changed: ['deleted_at'], flag: { deleted_at: null } },
    { version: 2, flag: { active: false, deleted_at: expect.any(String) } },
    { version: 1 },
  ])
  expect(log.map(({ name, target }) => [name, target])).toEqual(
    expect.arrayContaining([
      ['flag.archive', 'flag new-checkout'],
      ['flag.restore', `flag ${id}`],
    ]),
  )
})

test('a flag is not restored over another that has its key, nor twice', async ({ product: { console, store } }) => {
  const { id } = await store('a', all)
  expect((await console('DELETE', '/flags/a')).status).toBe(204)
  await store('a', all)
  expect((await console('POST', `/archived-flags/${id}/restore`)).body.code).toBe('CLEW_FLAGS_KEY_TAKEN')
  expect((await console('DELETE', '/flags/a')).status).toBe(204)
  expect((await console('GET', '/archived-flags')).body.flags).toHaveLength(2)
  expect((await console('POST', `/archived-flags/${id}/restore`)).status).toBe(200)
  expect((await console('POST', `/archived-flags/${id}/restore`)).body.code).toBe('CLEW_FLAGS_NOT_FOUND')
})
