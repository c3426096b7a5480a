import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { Operator, OperatorRole } from '../accounts/store.ts'
import { operatorsTables } from '../index.ts'
import { createViews } from './views.ts'

/** Views, and a way to hire operators. */
async function open(db: TestDatabase, sessionViews = 100) {
  await db.migrate('operators', operatorsTables.postgres)
  const views = createViews({
    sql: db.admin,
    now: () => new Date('2026-03-02T10:00:00Z'),
    newId: uuidv7,
    settings: { sessionViews },
  })
  const hire = async (name: string, role: OperatorRole): Promise<Operator> => {
    const operator = { id: uuidv7(), name, email: `${name}@example.test`, role }
    await db.admin.query({
      text: `insert into clew_operators.operators (id, email, name, password_hash, role, created_at) values ($1, $2, $3, '', $4, now())`,
      values: [operator.id, operator.email, name, role],
    })
    return operator
  }
  const dismiss = ({ id }: Operator) =>
    db.admin.query({ text: 'delete from clew_operators.operators where id = $1', values: [id] })
  return { views, hire, dismiss }
}

const refused = { code: 'CLEW_OPERATORS_FORBIDDEN' }
const unknown = { code: 'CLEW_OPERATORS_NOT_FOUND' }
const failing = { name: 'Failing', search: { errors: true, seconds: 60, q: 'maria' }, isShared: false }

test('an operator sees their own views and the team’s, by name', async ({ db }) => {
  const { views, hire } = await open(db)
  const [ann, ben] = [await hire('ann', 'analyst'), await hire('ben', 'developer')]
  await views.create(ann, failing)
  await views.create(ann, { name: 'abandoned', search: { table: 'public.orders' }, isShared: true })
  await views.create(ben, { name: 'Slow', search: { sort: 'statement' }, isShared: false })
  const names = async (operator: Operator) => (await views.list(operator)).map(({ name }) => name)
  expect(await names(ann)).toEqual(['abandoned', 'Failing'])
  expect(await names(ben)).toEqual(['abandoned', 'Slow'])
  expect(await views.list(ann)).toMatchObject([
    { isShared: true, isMine: true, createdBy: 'ann@example.test' },
    { ...failing, isMine: true },
  ])
})

test('views of others are not found; the team’s are changed by their maker and by those who may change things', async ({
  db,
}) => {
  const { views, hire } = await open(db)
  const [ann, ben, eve] = [await hire('ann', 'analyst'), await hire('ben', 'developer'), await hire('eve', 'analyst')]
  const own = await views.create(ann, failing)
  const shared = await views.create(ann, { ...failing, isShared: true })
  await expect(views.find(ben, own)).rejects.toMatchObject(unknown)
  await expect(views.remove(ben, own)).rejects.toMatchObject(unknown)
  await expect(views.change(ben, own, failing)).rejects.toMatchObject(unknown)
  expect(await views.find(eve, shared)).toMatchObject({ isMine: false })
  await expect(views.remove(eve, shared)).rejects.toMatchObject(refused)
  await expect(views.change(eve, shared, failing)).rejects.toMatchObject(refused)
  await views.change(ben, shared, { name: 'Broken', search: { status: '5xx' }, isShared: true })
  expect(await views.find(ann, shared)).toMatchObject({ name: 'Broken', search: { status: '5xx' } })
  await views.change(ann, own, { ...failing, isShared: true })
  expect(await views.find(eve, own)).toMatchObject({ isShared: true })
  await views.change(ann, own, failing)
  await expect(views.find(eve, own)).rejects.toMatchObject(unknown)
  await views.remove(ann, shared)
  await expect(views.find(ben, shared)).rejects.toMatchObject(unknown)
})

test('the team’s views stay when their maker leaves, whose own go', async ({ db }) => {
  const { views, hire, dismiss } = await open(db)
  const [ann, ben] = [await hire('ann', 'analyst'), await hire('ben', 'owner')]
  await views.create(ann, failing)
  await views.create(ann, { ...failing, name: 'Kept', isShared: true })
  await dismiss(ann)
  expect(await views.list(ben)).toMatchObject([{ name: 'Kept', createdBy: 'ann@example.test' }])
  const { rows } = await db.admin.query({
    text: 'select count(*)::int as n from clew_operators.session_views',
    values: [],
  })
  expect(rows).toEqual([{ n: 1 }])
})

test('as many are kept as the setting says, of each operator and of the team', async ({ db }) => {
  const { views, hire } = await open(db, 1)
  const ann = await hire('ann', 'analyst')
  const tooMany = { code: 'CLEW_OPERATORS_TOO_MANY_VIEWS' }
  const shared = { ...failing, isShared: true }
  const own = await views.create(ann, failing)
  await expect(views.create(ann, failing)).rejects.toMatchObject(tooMany)
  await views.create(ann, shared)
  await expect(views.create(ann, shared)).rejects.toMatchObject(tooMany)
  await expect(views.change(ann, own, shared)).rejects.toMatchObject(tooMany)
  await views.change(ann, own, { ...failing, name: 'Renamed' })
})
