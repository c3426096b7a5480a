import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'

test('a caller is the role, with its claims, for one statement', async ({ db }) => {
  const result = await db.session.run({
    role: 'anon',
    settings: [['request.jwt.claims', '{"role":"anon"}']],
    statement: { text: `select current_user as who, current_setting('request.jwt.claims') as claims`, values: [] },
    readOnly: true,
    attribute: false,
    end: 'commit',
    work: null,
  })
  expect(result.rows).toEqual([{ who: 'anon', claims: '{"role":"anon"}' }])
})
