import { expect, test } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import { fixedRootKeys } from '../../ground/ids/root-keys.ts'
import { rootKeyRoutes } from './root-key-routes.ts'
import { createRootKeyWork } from './root-keys.ts'

const replacedAt = new Date('2026-01-02T03:04:05.000Z')

/** Things kept under two root keys: `sealed` moves by itself, `hashed` when it is used. */
async function open(role: OperatorRole = 'owner') {
  const roots = fixedRootKeys('two', 'one')
  const [current = '', earlier = ''] = roots().map(({ id }) => id)
  const sealed = new Map([[earlier, 3]])
  const hashed = new Map([[earlier, 2]])
  const retired: string[] = []
  const uses: RootKeyUse[] = [
    {
      name: 'broken things',
      renew: () => Promise.reject(new Error('not now')),
      count: async () => new Map(),
      end: async () => undefined,
    },
    {
      name: 'sealed things',
      async renew() {
        sealed.set(current, (sealed.get(current) ?? 0) + (sealed.get(earlier) ?? 0))
        sealed.delete(earlier)
      },
      count: async () => new Map(sealed),
      end: async () => undefined,
    },
    {
      name: 'hashed things',
      renew: null,
      count: async () => new Map(hashed),
      end: async (id) => void hashed.delete(id),
    },
  ]
  const said: string[] = []
  const work = createRootKeyWork({
    roots,
    uses: () => uses,
    rotation: {
      earlierRoots: async () => [{ id: earlier, replacedAt }],
      retireRoot: async (id) => {
        retired.push(id)
        return true
      },
    },
    log: { warn: (_details: object, text: string) => void said.push(text) },
  })
  const { actions, log } = recordedActions(role)
  const call = await consoleApp(rootKeyRoutes(work, actions, true))
  const lose = () => void sealed.set('fedcba9876543210', 3).set('', 4)
  return { call, log, work, current, earlier, retired, said, lose }
}

test('of each root key is told what is kept under it, and how it moves', async () => {
  const { call, work, current, earlier, said } = await open('developer')
  const sealedThings = { name: 'sealed things', count: 3, moves: true }
  const hashedThings = { name: 'hashed things', count: 2, moves: false }
  expect((await call('GET', '/secrets/root-keys')).body.rootKeys).toEqual([
    { id: current, isCurrent: true, replacedAt: null, contents: [] },
    { id: earlier, isCurrent: false, replacedAt: replacedAt.toISOString(), contents: [sealedThings, hashedThings] },
  ])
  await work.renew()
  expect((await call('GET', '/secrets/root-keys')).body.rootKeys).toMatchObject([
    { id: current, contents: [sealedThings] },
    { id: earlier, contents: [hashedThings] },
  ])
  // What cannot be moved holds nothing up, and is told.
  expect(said).toEqual(['The broken things are not under the new root key yet: not now'])
})

test('what is under a root key that is no more is told', async () => {
  const { call, lose } = await open()
  expect((await call('GET', '/secrets/root-keys')).body.lost).toEqual([])
  lose()
  const { body } = await call('GET', '/secrets/root-keys')
  expect(body.lost).toEqual([{ name: 'sealed things', count: 7 }])
})

test('a root key is retired once nothing is under it, or with an end of what is', async () => {
  const { call, log, current, earlier, retired } = await open()
  expect((await call('DELETE', `/secrets/root-keys/${earlier}`)).body).toMatchObject({
    code: 'CLEW_SECRETS_ROOT_KEY_NEEDED',
    message: 'Still under it: hashed things: 2.',
  })
  expect(retired).toEqual([])
  expect((await call('DELETE', `/secrets/root-keys/${earlier}?ends=true`)).status).toBe(204)
  expect(retired).toEqual([earlier])
  expect((await call('DELETE', `/secrets/root-keys/${current}`)).body.code).toBe('CLEW_SECRETS_NOT_FOUND')
  expect(log.map(({ name, target }) => `${name} ${target}`)).toEqual([
    `secret.revoke root key ${earlier}`,
    `secret.revoke root key ${earlier}`,
    `secret.revoke root key ${current}`,
  ])
})

test.each([
  '/0123456789ABCDEF',
  '/0123456789abcde',
  '/0123456789abcdef0',
  '/%00',
  '/..%2f..%2fkeys.json',
  '/%F0%9F%94%91',
  '/0123456789abcdef?ends=perhaps',
])('no root key is %s', async (path) => {
  const { call, retired } = await open()
  expect((await call('DELETE', `/secrets/root-keys${path}`)).status).toBe(400)
  expect(retired).toEqual([])
})

test.each([
  ['developer', 'GET', '', 200],
  ['analyst', 'GET', '', 403],
  ['developer', 'DELETE', '/0123456789abcdef', 403],
] as const)('a %s is answered to %s root keys%s by %s', async (role, method, path, status) => {
  const { call } = await open(role)
  expect((await call(method, `/secrets/root-keys${path}`)).status).toBe(status)
})
